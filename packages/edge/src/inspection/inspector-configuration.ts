import { LEVELS, SCOPES } from './instrument.ts'

export type InspectorSettings = {
  modulesDir: string
  user: string | null
  workers: number
  /** Everything it writes lies below. */ prefix: string
  pidFile: string
  rulesFile: string
  /** Beginning of its sockets' names: one for each scope and level. */ sockets: string
}

/** Which socket asks a scope at a level; nginx's Lua makes the same name. */
export const socketOf = (sockets: string, scope: (typeof SCOPES)[number], level: number): string =>
  `${sockets}.${scope.charAt(0)}${level}`

/** The whole configuration of the nginx that inspects: it has the rule set in it, and answers with what was found. */
export function inspectorConfiguration(s: InspectorSettings): string {
  const servers = SCOPES.flatMap((scope) =>
    LEVELS.map(
      (level) => `  server {
    listen "unix:${socketOf(s.sockets, scope, level)}" backlog=4096;
    modsecurity_transaction_id "${scope}.${level}";
    location / { deny all; }
  }`,
    ),
  ).join('\n')
  return `load_module ${s.modulesDir}/ngx_http_modsecurity_module.so;
daemon off;
${s.user ? `user ${s.user};\n` : ''}worker_processes ${s.workers};
worker_rlimit_nofile 16384;
pid "${s.pidFile}";
# Each request that is answered would be an error to the module.
error_log stderr crit;
pcre_jit on;
events { worker_connections 4096; }
http {
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `  ${kind}_temp_path "${s.prefix}/temp/${kind}";`).join('\n')}
  access_log off;
  server_tokens off;
  keepalive_timeout 75s;
  keepalive_requests 1000000;
  # What the edge has taken is taken here too.
  large_client_header_buffers 8 64k;
  client_header_buffer_size 16k;
  client_body_buffer_size 1100k;
  client_max_body_size 4m;
  modsecurity on;
  modsecurity_rules_file "${s.rulesFile}";
${servers}
}
`
}
