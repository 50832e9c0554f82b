/** Called by the sandbox when a host starts: what is enabled comes up, as at a boot. */
import { startUnit, unitEnabled, writeUnitState } from './service-units.mjs';

writeUnitState('postgresql', { active: false });
if (unitEnabled('postgresql')) {
  const { text } = await startUnit('postgresql');
  process.stderr.write(text);
}
