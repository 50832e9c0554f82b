import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { JsonValue } from '@capstan/model';
import { checkDocuments } from './check-documents.js';
import type { DocumentReport } from './document-report.js';

const fixtures = new URL('../fixtures/', import.meta.url);

function fixture(name: string): string {
  return readFileSync(new URL(name, fixtures), 'utf8');
}

function check(text: string, file = 'f.yaml'): DocumentReport {
  const [report, ...others] = checkDocuments([{ file, text }]);
  assert.equal(others.length, 0);
  assert.ok(report);
  return report;
}

/** `code line:column | expected` of each problem. */
function told(text: string): string[] {
  return checkDocuments([{ file: 'f.yaml', text }]).flatMap(({ problems }) =>
    problems.map(({ code, place, expected }) => `${code} ${place?.line}:${place?.column} | ${expected}`),
  );
}

/** What each of the mission's documents is, whether anything is missing, and how it reads in normal form. */
const mission: Readonly<Record<string, { kind: string; complete: boolean; normal: JsonValue }>> = {
  'customizations.yaml': {
    kind: 'customizations',
    complete: true,
    normal: {
      customizations: {
        base_template: 'kubernetes.create@1.0.0',
        changes: [
          { inserted: 'configure-registry-mirror', after: 'install-runtime' },
          { inserted: 'pre-pull-images', after: 'configure-registry-mirror' },
          { removed: 'install-addons' },
        ],
      },
    },
  },
  'intent-add-node.yaml': {
    kind: 'intent',
    complete: true,
    normal: {
      intent: {
        action: 'add_node',
        target_resource: 'cluster/prod-k8s',
        desired_result: { node: 'worker-6', role: 'worker' },
      },
    },
  },
  'intent-create-kubernetes.yaml': {
    kind: 'intent',
    complete: true,
    normal: {
      intent: {
        action: 'create',
        target_resource_type: 'kubernetes.cluster',
        desired_result: {
          name: 'prod-k8s',
          masters: 3,
          workers: 5,
          cni: 'calico',
          container_runtime: 'containerd',
          storage: 'longhorn',
        },
        constraints: { environment: 'prod', region: 'eu-central', require_ha_control_plane: true },
      },
    },
  },
  'intervention-manual-fix.yaml': {
    kind: 'intervention',
    complete: true,
    normal: {
      intervention: {
        type: 'manually_fixed',
        target: { stage: 'join-workers', node: 'worker-3' },
        note: 'Fixed resolver config and restarted kubelet.',
        verification: ['kubelet_ready', 'node_registered', 'node_ready'],
      },
    },
  },
  'job-contract.yaml': {
    kind: 'contract',
    complete: false,
    normal: {
      inputs: {
        capabilities: [
          { capability: 'ssh.access' },
          { capability: 'linux.host' },
          { capability: 'package.manager.apt' },
        ],
        artifacts: [{ name: 'node_inventory' }, { name: 'registry_mirror_config' }],
      },
      outputs: {
        capabilities: [{ capability: 'container.runtime.containerd' }],
        artifacts: [{ name: 'containerd_config_snapshot' }, { name: 'package_install_report' }],
        evidence: ['containerd_service_active', 'crictl_works'],
      },
    },
  },
  'job-init-control-plane.yaml': {
    kind: 'job',
    complete: false,
    normal: {
      job: {
        id: 'init-control-plane',
        inputs: {
          capabilities: [
            { capability: 'container.runtime.containerd' },
            { capability: 'host.network.ready' },
            { capability: 'kubernetes.binaries.kubeadm' },
          ],
          artifacts: [{ name: 'kubeadm_cluster_config' }, { name: 'node_inventory' }],
        },
        outputs: {
          capabilities: [
            { capability: 'kubernetes.api' },
            { capability: 'kubernetes.control_plane.initialized' },
          ],
          artifacts: [
            { name: 'kubeconfig.admin' },
            { name: 'kubeadm.join_token' },
            { name: 'cluster_ca_certificate_ref' },
          ],
          evidence: ['kube_apiserver_healthy', 'kubeadm_init_completed'],
        },
      },
    },
  },
  'plan-patch-registry-mirror.yaml': {
    kind: 'plan_patch',
    complete: true,
    normal: {
      plan_patch: {
        reason: 'Nodes cannot pull images from registry-1.docker.io.',
        changes: [
          {
            insert_after: 'install-container-runtime',
            jobs: [
              'configure-containerd-registry-mirror',
              'restart-containerd',
              'pre-pull-kubernetes-images',
            ],
          },
          { retry: { job: 'init-control-plane' } },
        ],
        approval: { required: true },
      },
    },
  },
  'scenario-tempo-install.yaml': {
    kind: 'scenario',
    complete: false,
    normal: {
      scenario: {
        id: 'tempo.install',
        requires: [
          { capability: 'kubernetes.cluster', as: 'cluster' },
          { capability: 'object_storage.s3', as: 's3' },
          { capability: 'secret.store', as: 'store' },
        ],
        provides: [{ capability: 'observability.tracing' }],
      },
    },
  },
};

for (const [name, wanted] of Object.entries(mission)) {
  test(`[S36] the mission's ${name} is accepted as it stands, and its normal form is stable`, () => {
    const report = check(fixture(`mission/${name}`), name);
    assert.deepEqual(report.problems, []);
    assert.deepEqual({ kind: report.kind, complete: report.complete, normal: report.normal }, wanted);
    assert.equal(report.missing.length === 0, wanted.complete);
    assert.deepEqual(check(JSON.stringify(report.normal)).normal, report.normal);
  });
}

test('[S36] both spellings of a contract give the same normal form', () => {
  const short = check(
    'inputs: {capabilities: [a.b], artifacts: ["c?"]}\noutputs: {capabilities: [d], artifacts: [e], evidence: [f]}',
  );
  const long = check(
    'inputs: {requires: {capabilities: [a.b], artifacts: ["c?"]}}\noutputs: {provides: {capabilities: [d], artifacts: [e], evidence: [f]}}',
  );
  assert.deepEqual(short.problems, []);
  assert.deepEqual(short.normal, long.normal);
  assert.deepEqual(told('inputs:\n  capabilities: [a]\n  requires: {capabilities: [b]}\n'), [
    'duplicate_key 3:14 | one of inputs.capabilities and inputs.requires.capabilities',
  ]);
});

test('[S36] an incomplete scenario says which keys it lacks, and whose capabilities nobody declares', () => {
  assert.deepEqual(check(fixture('mission/scenario-tempo-install.yaml')).missing, [
    'key version',
    'key action',
    'key target_resource_type',
    'key stages',
    'capability kubernetes.cluster',
    'capability object_storage.s3',
    'capability secret.store',
    'capability observability.tracing',
  ]);
});

/** Kind, and exactly what is missing around each document of the worked examples. */
const worked: Readonly<Record<string, readonly (readonly [string, readonly string[]])[]>> = {
  'add-node.yaml': [
    [
      'pack',
      [
        'pack host',
        'pack network',
        'pack container-runtime',
        'resource_type node',
        'check kube_apiserver_healthy',
        'check all_nodes_ready',
      ],
    ],
    [
      'scenario',
      [
        'job host:validate-node',
        'job network:update-wireguard-mesh',
        'job prepare-kubernetes-host',
        'job label-node',
        'job verify-node',
      ],
    ],
    ['job', ['capability ssh.access', 'script files/join.sh', 'job reset-node']],
    ['job', ['capability ssh.access', 'script files/token.sh']],
    ['check', []],
    ['check', ['script files/node-registered.sh']],
    ['check', ['script files/token-valid.sh']],
  ],
  'tempo-install.yaml': [
    [
      'pack',
      ['key pack', 'check s3_list_ok', 'check s3_put_get_ok', 'scenario object-storage.release-bucket'],
    ],
    ['scenario', ['capability object_storage.bucket', 'job create-bucket']],
    [
      'scenario',
      [
        'capability kubernetes.cluster',
        'capability kubernetes.storage.block',
        'scenario minio.uninstall',
        'job minio-deploy',
        'job minio-verify',
      ],
    ],
    [
      'scenario',
      [
        'resource_type tempo',
        'capability kubernetes.cluster',
        'capability secret.store',
        'capability kubernetes.namespace',
        'capability observability.tracing',
        'job verify-tempo',
      ],
    ],
    [
      'job',
      [
        'capability kubernetes.client',
        'capability object_storage.bucket',
        'artifact object-storage:s3_credentials',
        'artifact kubernetes:kubeconfig.admin',
        'capability tempo.deployed',
        'artifact tempo_values_snapshot',
        'check tempo_ready',
        'script files/deploy.sh',
        'job remove-tempo',
      ],
    ],
    ['check', ['script files/write-and-query.sh']],
  ],
};

for (const [name, wanted] of Object.entries(worked)) {
  test(`[S36] the worked example ${name} is accepted, and exactly what is missing around it is told`, () => {
    const reports = checkDocuments([{ file: name, text: fixture(`worked-examples/${name}`) }]);
    assert.deepEqual(
      reports.flatMap(({ problems }) => problems),
      [],
    );
    assert.deepEqual(
      reports.map(({ kind, missing }) => [kind, missing]),
      wanted,
    );
    for (const { normal } of reports) assert.deepEqual(check(JSON.stringify(normal)).normal, normal);
  });
}
