import fs from 'node:fs'
import path from 'node:path'
import { selfSignedCertificate } from '@fairway/platform'
import type { ProxySetting, ProxyUnderTest } from './proxy-under-test.ts'

const NGINX = '/usr/sbin/nginx'
/** What the origin answers, whatever is asked: 1 KB, to be kept for an hour except below `/pass/`. */
export const BODY_BYTES = 1024

/** nginx as a cache and nothing else: one location, no log, no script. */
export const plainNginx: ProxyUnderTest = {
  name: 'nginx, plain cache',
  program: NGINX,
  async prepare({ folder, port, origin }) {
    return nginxWith(
      folder,
      `
  proxy_cache_path ${folder}/cache levels=1:2 keys_zone=edge:32m max_size=2g inactive=7d use_temp_path=off;
  proxy_http_version 1.1;
  upstream origin { server 127.0.0.1:${origin.port}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    access_log off;
    location / { proxy_pass ${origin.protocol}://origin; proxy_set_header Host $host; proxy_set_header Connection ''; proxy_cache edge; proxy_cache_key $host$request_uri; }
  }`,
    )
  },
}

export const varnish: ProxyUnderTest = {
  name: 'Varnish',
  program: '/usr/sbin/varnishd',
  async prepare({ folder, port, origin }) {
    return {
      command: varnish.program,
      words: [
        '-F',
        '-j',
        'none',
        '-a',
        `127.0.0.1:${port}`,
        '-b',
        `127.0.0.1:${origin.port}`,
        '-n',
        path.join(folder, 'work'),
        '-s',
        'malloc,512m',
      ],
    }
  },
}

/** The website behind all of them; its origin is itself, over TLS. */
export const website: ProxyUnderTest = {
  name: 'origin',
  program: NGINX,
  async prepare({ folder, port, origin }: ProxySetting) {
    const { certificatePem, keyPem } = selfSignedCertificate(['origin.bench.test'], new Date())
    fs.writeFileSync(path.join(folder, 'certificate.pem'), certificatePem)
    fs.writeFileSync(path.join(folder, 'key.pem'), keyPem)
    fs.writeFileSync(path.join(folder, 'page.html'), 'x'.repeat(BODY_BYTES))
    return nginxWith(
      folder,
      `
  keepalive_requests 1000000;
  server {
    listen 127.0.0.1:${port};
    listen 127.0.0.1:${origin.port} ssl;
    ssl_certificate ${folder}/certificate.pem;
    ssl_certificate_key ${folder}/key.pem;
    access_log off;
    root ${folder};
    location / { try_files /page.html =404; add_header Cache-Control max-age=3600; }
    # A thousand pages share a tag, and all of them one more.
    location ~ ^/tagged/(?<group>\\d+)/ { try_files /page.html =404; add_header Cache-Control max-age=86400; add_header Cache-Tag "group-$group all"; }
    location /pass/ { try_files /page.html =404; add_header Cache-Control no-store; }
  }`,
    )
  },
}

function nginxWith(folder: string, http: string) {
  const conf = path.join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `  ${kind}_temp_path ${folder}/${kind};`)
    .join('\n')
  fs.writeFileSync(
    conf,
    `daemon off;
${process.getuid?.() === 0 ? 'user root;\n' : ''}worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
${temporary}
  server_tokens off;
  default_type text/html;${http}
}
`,
  )
  return { command: NGINX, words: ['-p', folder, '-c', conf] }
}
