import type { HostView, Job, Outcome, Text } from '@capstan/model';
import { hostName, ok, qualified, refused, text } from '@capstan/model';
import type { Frame } from './frame.js';
import { HOST_TYPE } from './frame.js';
import { expectedName } from './nearest.js';
import { emptySet } from './subjects.js';
import { notSupported } from './supported.js';

/** The hosts that a place means; `keyed` when each of them gets a node of its own, named after it. */
export interface PlacedHosts {
  readonly hosts: readonly HostView[];
  readonly keyed: boolean;
}

/** The hosts on which a job of the template runs. */
export function placeJob(frame: Frame, job: Job): Outcome<PlacedHosts> {
  const { place } = job;
  const where = `job ${job.pack}:${job.id}`;
  switch (place.kind) {
    case 'each':
    case 'first': {
      if (place.kind === 'first' && place.healthy)
        return refused(notSupported(`target: first(healthy(${place.set}))`, where));
      const hosts = frame.sets.get(place.set);
      if (hosts !== undefined && hosts.length === 0 && place.kind === 'first')
        return refused(emptySet(place.set, where));
      if (hosts !== undefined)
        return ok(
          place.kind === 'each' ? { hosts, keyed: true } : { hosts: hosts.slice(0, 1), keyed: false },
        );
      return refused({
        code: 'unknown_reference',
        text: text('plan.unknown_set', { set: place.set, where, name: 'target' }),
        expected: expectedName(place.set, [...frame.sets.keys()]),
      });
    }
    case 'host':
      return ownHost(frame, where);
    case 'other':
      return refused(notSupported(`target: ${place.source}`, where));
  }
}

/** `target: host` in a template: the operation's own host, or the members of the only set. */
function ownHost(frame: Frame, where: string): Outcome<PlacedHosts> {
  const [only, another] = [...frame.sets.values()];
  if (only !== undefined && another === undefined) return ok({ hosts: only, keyed: true });
  if (only === undefined && frame.subject.type === HOST_TYPE) {
    const host = frame.known.hosts.get(frame.subject.key);
    if (host !== undefined) return ok({ hosts: [host], keyed: true });
    const names = [...frame.known.hosts.values()].map((each) => each.name);
    return refused({
      code: 'unknown_host',
      text: text('plan.unknown_host', { host: frame.subject.key, path: 'target_resource' }),
      expected: expectedName(hostName(frame.subject.key), names),
    });
  }
  return refused({
    code: 'ambiguous_subject',
    text: text('plan.no_own_host', { where, sets: [...frame.sets.keys()].join(', ') }),
    expected: 'target: each(SET) or first(SET)',
  });
}

/** An inserted job runs on the subject if that is a host, else on the host that its place means in this scenario. */
export function placeInserted(
  frame: Frame,
  job: Job,
  subject: string,
): Outcome<{ readonly host: HostView; readonly keyed: boolean }> {
  const { place } = job;
  const own = frame.known.hosts.get(subject);
  const refuse = (reason: Text) => refused({ code: 'unmet_requirement', text: reason });
  if (place.kind === 'other' || (place.kind === 'first' && place.healthy)) {
    return refuse(text('plan.not_supported', { field: 'target', where: `job ${qualified(job)}` }));
  }
  if (place.kind === 'host') {
    if (own !== undefined) return ok({ host: own, keyed: true });
    const members = [...frame.sets.values()].flat();
    const [only, another] = [...new Set(members)];
    return only !== undefined && another === undefined
      ? ok({ host: only, keyed: true })
      : refuse(text('plan.no_host_for', { subject }));
  }
  const members = frame.sets.get(place.set);
  if (members === undefined) return refuse(text('plan.no_such_set', { set: place.set }));
  if (place.kind === 'first')
    return members[0] === undefined
      ? refuse(text('plan.no_such_set', { set: place.set }))
      : ok({ host: members[0], keyed: false });
  return own !== undefined && members.includes(own)
    ? ok({ host: own, keyed: true })
    : refuse(text('plan.not_in_set', { set: place.set, subject }));
}

/** `job[host]`, or `job` where there is only one. */
export function nodeKey(name: string, host: HostView, placed: Pick<PlacedHosts, 'keyed'>): string {
  return placed.keyed ? `${name}[${host.name}]` : name;
}

/** The template's name, with `~2` and so on when it stands in the plan already (S22). */
export function freeName(id: string, placed: PlacedHosts, taken: ReadonlySet<string>): string {
  const free = (name: string): boolean =>
    placed.hosts.every((host) => !taken.has(nodeKey(name, host, placed)));
  if (free(id)) return id;
  let repeat = 2;
  while (!free(`${id}~${repeat}`)) repeat += 1;
  return `${id}~${repeat}`;
}
