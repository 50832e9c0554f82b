/**
 * Builds the base system of the Debian hosts where they can run, before the test files are: it may take longer
 * than a test file is given. What is wrong with it is told by the suites themselves.
 */
export async function prepareDebian(say) {
  const { prepareDebianLab, whyNoDebianHosts } = await import('@capstan/lab');
  if (await whyNoDebianHosts()) return;
  try {
    await prepareDebianLab({ cache: process.env.CAPSTAN_LAB_CACHE || '/var/cache/capstan-lab', say });
  } catch (error) {
    say(`The Debian hosts cannot be prepared: ${error.message}`);
  }
}
