# Capstan: the supervisor by default, `… main.js worker` for a worker alone. docker-compose.yml shows both.
FROM node:20.20.2-bookworm-slim AS build
ENV CI=true
WORKDIR /app
COPY . .
# The compiler is a development dependency: what runs gets an installation without it.
RUN npx --yes pnpm@10.34.9 install --frozen-lockfile --prod=false \
  && node node_modules/typescript/bin/tsc -b tsconfig.build.json \
  && NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 node apps/web/node_modules/next/dist/bin/next build apps/web \
  && rm -rf apps/web/.next/cache \
  && find . -name node_modules -prune -exec rm -rf {} + \
  && npx --yes pnpm@10.34.9 install --frozen-lockfile --prod

FROM node:20.20.2-bookworm-slim
ENV NODE_ENV=production CAPSTAN_DATA=/var/lib/capstan
WORKDIR /app
COPY --from=build /app /app
# A volume that is mounted for the first time takes its owner from these folders.
RUN install -d -o node -g node -m 0700 /var/lib/capstan /var/lib/capstan/secret
USER node
STOPSIGNAL SIGTERM
CMD ["node", "--enable-source-maps", "apps/server/dist/main.js"]
