import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** Mantine's own primary shade fails the contrast of a button's words; 8 passes in both schemes [UX-X1]. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
  components: {
    // The title of an outlined alert in its colour is below 4.5 : 1 for green, yellow and orange.
    Alert: { styles: { label: { color: 'var(--mantine-color-text)' } } },
  },
});

/** The quieter words of Mantine are below 4.5 : 1 on its own backgrounds. */
export const cssVariables: CSSVariablesResolver = (of) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': of.colors.gray[7],
    '--mantine-color-placeholder': of.colors.gray[7],
    '--mantine-color-error': of.colors.red[9],
  },
  dark: {
    '--mantine-color-dimmed': of.colors.dark[1],
    '--mantine-color-placeholder': of.colors.dark[2],
    '--mantine-color-error': of.colors.red[4],
  },
});
