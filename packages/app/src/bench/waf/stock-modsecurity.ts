import fs from 'node:fs'
import path from 'node:path'
import type { ProxyUnderTest } from '../edge/proxy-under-test.ts'

const NGINX = '/usr/sbin/nginx'
const RULES = '/usr/share/modsecurity-crs/rules'
const SETUP = '/etc/modsecurity/crs/crs-setup.conf'

/** nginx with ModSecurity and the rule set as the distribution's packages set it up, at a paranoia level. */
export const stockModSecurity = (level: number): ProxyUnderTest => ({
  name: `stock, level ${level}`,
  program: NGINX,
  async prepare({ folder, port, origin }) {
    const rules = path.join(folder, 'modsecurity.conf')
    fs.writeFileSync(
      rules,
      `SecRuleEngine On
SecRequestBodyAccess On
SecRequestBodyLimit 13107200
SecRequestBodyNoFilesLimit 131072
SecRequestBodyLimitAction Reject
SecRequestBodyJsonDepthLimit 512
SecRule REQUEST_HEADERS:Content-Type "^(?:application(?:/soap\\+|/)|text/)xml" "id:200000,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "^application/json" "id:200001,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"
SecRule REQBODY_ERROR "!@eq 0" "id:200002,phase:2,t:none,nolog,deny,status:400"
SecRule MULTIPART_STRICT_ERROR "!@eq 0" "id:200003,phase:2,t:none,nolog,deny,status:403"
SecArgumentSeparator &
SecCookieFormat 0
SecTmpDir ${folder}
SecDataDir ${folder}
SecAuditEngine Off
Include ${SETUP}
SecAction "id:900000,phase:1,nolog,pass,t:none,setvar:tx.paranoia_level=${level}"
Include ${RULES}/*.conf
`,
    )
    const file = path.join(folder, 'nginx.conf')
    fs.writeFileSync(
      file,
      `load_module /usr/lib/nginx/modules/ngx_http_modsecurity_module.so;
daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log crit; worker_processes 1;
events { worker_connections 1024; }
http {
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `  ${kind}_temp_path ${folder}/${kind};`).join('\n')}
  access_log off; client_max_body_size 20m; client_body_buffer_size 1m; proxy_http_version 1.1;
  upstream origin { server 127.0.0.1:${origin.port}; keepalive 64; }
  modsecurity on; modsecurity_rules_file ${rules};
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://origin; proxy_set_header Host $host; proxy_set_header Connection ''; }
  }
}
`,
    )
    return { command: NGINX, words: ['-p', folder, '-c', file] }
  },
})
