import type { HostPort } from '@fairway/platform'

export type FrontSettings = {
  /** Where visitors come to, over UDP. */
  listen: HostPort
  /** Where the front asks itself for certificates: it can do so over TCP only. */
  inside: HostPort
  /** Whoever asks there has to know it. */
  token: string
  /** Of nginx: visitors' requests, certificates, and what early hints there are. */
  visitorsSocket: string
  certificatesSocket: string
  hintsSocket: string
}

/** nginx ends headers that are longer than this too. */
const HEADER_BYTES = 32 << 10

/**
 * Configuration of the front, which knows no domain: it speaks QUIC and asks nginx for everything else. Nothing in it
 * changes while it runs: Caddy 2.6 keeps the TLS of a UDP listener as it was first.
 */
export function frontConfiguration(s: FrontSettings): object {
  const nginx = (socket: string) => ({
    handler: 'reverse_proxy',
    upstreams: [{ dial: `unix/${socket}` }],
    // A socket in a folder of our own, and TLS for the scheme that requests then have; nobody is to be authenticated.
    transport: {
      protocol: 'http',
      tls: { insecure_skip_verify: true, server_name: 'front.invalid' },
      versions: ['1.1'],
      compression: false,
      keep_alive: { max_idle_conns_per_host: 64, idle_timeout: '50s' },
      response_header_timeout: '0s',
    },
    headers: {
      // Of the visitor's own words none about who stands between goes on.
      request: { set: { 'X-Forwarded-For': ['{http.request.remote.host}'] } },
    },
  })
  return {
    admin: { disabled: true, config: { persist: false } },
    // What strangers can cause as often as they like is no line.
    logging: {
      logs: {
        default: { level: 'ERROR', exclude: ['tls.handshake', 'http.log.error', 'http.handlers.reverse_proxy'] },
      },
    },
    apps: {
      // Without this Caddy makes an authority and has the machine trust it.
      pki: { certificate_authorities: { local: { install_trust: false } } },
      tls: {
        // No tickets, so no early data that could be sent twice.
        session_tickets: { disabled: true },
        automation: {
          policies: [
            {
              get_certificate: [{ via: 'http', url: `http://${s.inside.host}:${s.inside.port}/${s.token}` }],
              // Never asked for anything, and if it were, nobody is there.
              issuers: [{ module: 'acme', ca: 'https://127.0.0.1:1/nobody' }],
            },
          ],
        },
      },
      http: {
        grace_period: '5s',
        servers: {
          certificates: {
            listen: [`${s.inside.host}:${s.inside.port}`],
            automatic_https: { disable: true },
            protocols: ['h1'],
            routes: [
              { match: [{ path: [`/${s.token}`] }], handle: [plain(s.certificatesSocket)] },
              { handle: [{ handler: 'static_response', status_code: '404' }] },
            ],
          },
          visitors: {
            listen: [listenText(s.listen)],
            automatic_https: { disable: true },
            protocols: ['h3'],
            tls_connection_policies: [{ alpn: ['h3'], protocol_min: 'tls1.3' }],
            max_header_bytes: HEADER_BYTES,
            read_timeout: '60s',
            idle_timeout: '65s',
            routes: [
              { handle: [{ handler: 'headers', response: { delete: ['Server'] } }] },
              {
                match: [{ method: ['GET'], header: { 'Sec-Fetch-Mode': ['navigate'] } }],
                handle: [hints(nginx(s.hintsSocket))],
              },
              { handle: [nginx(s.visitorsSocket)] },
            ],
          },
        },
      },
    },
  }
}

const plain = (socket: string) => ({ handler: 'reverse_proxy', upstreams: [{ dial: `unix/${socket}` }] })

/** Browsers take hints for pages only (HTML, 103). Whatever nginx answers but hints is passed over. */
const hints = (ask: object) => ({
  ...ask,
  rewrite: { method: 'GET' },
  handle_response: [
    {
      match: { status_code: [200] },
      routes: [
        {
          handle: [
            { handler: 'static_response', status_code: 103, headers: { Link: ['{http.reverse_proxy.header.Link}'] } },
          ],
        },
      ],
    },
    { routes: [{ handle: [{ handler: 'headers' }] }] },
  ],
})

const listenText = ({ host, port }: HostPort): string => `${host.includes(':') ? `[${host}]` : host}:${port}`
