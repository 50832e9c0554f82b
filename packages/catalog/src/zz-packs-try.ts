import { loadCatalog, checkFiles } from './index.js';
const r = await loadCatalog(['scenario-packs']);
console.log(JSON.stringify(r.problems, null, 1));
for (const p of r.packs) { console.log(p.pack.name, p.notes); for (const j of [...p.pack.jobs, ...p.pack.checks, ...p.pack.scenarios]) { console.log(j.id, JSON.stringify(j.notExecuted)); } }
console.log(JSON.stringify(r.catalog.packs.find(p=>p.name==='postgres')?.scenarios, null,1)?.slice(0,4000));
console.log(JSON.stringify(r.catalog.packs.find(p=>p.name==='postgres')?.checks.find(c=>c.id==='postgres_answers'), null,1));
