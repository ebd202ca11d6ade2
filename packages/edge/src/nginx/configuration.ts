import { EDGE_PATHS } from '@fairway/contract'
import { INACTIVE_SECONDS, LEAST_COMPRESSED } from '@fairway/edge-lua'
import type { HostPort } from '@fairway/platform'
import { luaModule } from './build-lua.ts'

/** Everything the generic configuration depends on. It knows no domain: policies are pushed into shared memory. */
export type NginxSettings = {
  node: string
  http: HostPort
  https: HostPort
  /** Addresses of simulated CDNs; they listen at the same two ports. */
  simulatedAddresses: string[]
  /** Peers whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  /** Some requests are recorded whole, for rules to be tried on. */ records: boolean
  /** Workers' account; only a root master may set one. */
  user: string | null
  workers: number
  /** Where Debian's packages keep `ndk_http_module.so` and `ngx_http_lua_module.so`. */
  modulesDir: string
  luaDir: string
  /** Everything nginx writes lies below. */
  prefix: string
  requestLog: string
  pidFile: string
  adminSocket: string
  innerSocket: string
  /** Of the second cache, which all CDNs share. */
  tierSocket: string
  /** Of the server that stores pieces of large objects. */
  sliceSocket: string
  /** Files that a worker may have open, and connections. */
  files: number
  connections: number
  /** Requests that one address may have under way; 0 for any number. */
  requestsPerAddress: number
  /** Requests of one customer that may be on their way to origins in a worker; WebSockets among them, also of one visitor. */
  room: number
  tunnels: number
  tunnelsPerAddress: number
  /** For what customers have set. */
  policiesMb: number
  /** Percent of counts, blocks and marks that one customer may have. */
  customerShare: number
  /** Room on disk for cached objects, and the largest that is stored. */
  cacheMb: number
  largestMb: number
  /** Largest content of a visitor's request. */
  largestRequestMb: number
  /** The cache gives back until so much is free on its disk. */
  leastFreeMb: number
  /** Debian packages brotli apart. */
  brotli: boolean
  certificate: string
  certificateKey: string
  /** There may be a process in front that speaks HTTP/3; its sockets are in a folder that nobody else can enter. */
  front: boolean
  visitorsSocket: string
  certificatesSocket: string
  hintsSocket: string
  /** Where other machines fetch through this one; null where they do not. */
  relay: HostPort | null
  /** What the machines of this installation show each other. */
  relayCertificate: string
  relayKey: string
  /** Authorities that origins' certificates are checked with. */
  originAuthorities: string
  patience: Patience
  /** Where the agent says where the location data is. */
  placesFile: string
  /** Where the agent puts the pictures of challenges. */
  captchasFile: string
  scarceFile: string
  /** Digests of passwords from breaches, as far as the operator has imported some. */
  leakedFile: string
  /** Known by `GET /state`, to see which configuration runs after a reload. */
  configurationId: string
}

/**
 * How long the edge waits, in seconds: for a visitor's headers, for each next part of its body, for an origin's answer.
 */
export type Patience = { clientHeader: number; clientBody: number; origin: number }
export const PATIENCE: Patience = { clientHeader: 15, clientBody: 30, origin: 60 }

// One in so many connections of a worker may hold back a refusal.
const HELD_BACK = 2
/** One in so many of the requests that an address may have under way, in a second. */
const HELD_OF_VISITOR = 8

const LUA_MODULES = Object.entries({
  admin: 'admin',
  front: 'front',
  outer: 'outer',
  inner: 'inner',
  origin: 'origin.client',
  peers: 'origin.peers',
  relay: 'origin.relay',
  own: 'own-objects',
  slices: 'slices',
  tls: 'tls',
  geo: 'security.geo-tables',
  captchas: 'security.captchas',
  bodies: 'visitor-body',
  leaked: 'security.leaked',
  shares: 'policy.shares',
  holds: 'security.hold-back',
})
  .map(([name, module]) => `${name} = require('${luaModule(module)}')`)
  .join('; ')

/** An answer's head, as it comes from the origin and as it is stored. */
export const LONGEST_HEAD_KB = 32
/** What a visitor may send before the content; the longest line is one of them. */
const VISITORS_HEADS = 'large_client_header_buffers 4 32k;'

/** Counts of limits, blocks, and where accounts have signed in. */
const [LIMITS_MB, BLOCKS_MB, KNOWN_MB] = [128, 64, 64]
/** Tags of objects: a place there stands for twice as much as a key. */
const TAGS_MB = 256
/** A key and its place among those of its customer. */
const KEY_BYTES = 256
const keysOfACustomer = (mb: number, percent: number): number =>
  Math.floor((mb * 1_048_576 * percent) / 100 / KEY_BYTES)

/**
 * The whole nginx.conf. A visitor's request passes the outer server (fault, cache) and on a miss the inner one
 * (freshness, origin).
 */
export function nginxConfiguration(s: NginxSettings): string {
  return `load_module ${s.modulesDir}/ndk_http_module.so;
load_module ${s.modulesDir}/ngx_http_lua_module.so;
${s.brotli ? `load_module ${s.modulesDir}/ngx_http_brotli_filter_module.so;\n` : ''}daemon off;
${s.user ? `user ${s.user};\n` : ''}worker_processes ${s.workers};
worker_shutdown_timeout 60s;
worker_rlimit_nofile ${s.files};
pid ${quoted(s.pidFile)};
error_log stderr warn;
pcre_jit on;
events { worker_connections ${s.connections}; }
http {
${writtenPaths(s)}
  lua_package_path ${quoted(`${s.luaDir}/?.lua;;`)};
  # Only what is used of these takes memory.
  lua_shared_dict policies ${s.policiesMb}m;
  lua_shared_dict marks 2m;
  lua_shared_dict counters 1m;
  lua_shared_dict turns 1m;
  lua_shared_dict tags ${TAGS_MB}m;
  lua_shared_dict freshened 16m;
  lua_shared_dict invalidated 64m;
  lua_shared_dict fetching 4m;
  lua_shared_dict unshared 4m;
  lua_shared_dict renewed 1m;
  lua_shared_dict limits ${LIMITS_MB}m;
  lua_shared_dict blocks ${BLOCKS_MB}m;
  lua_shared_dict known ${KNOWN_MB}m;
  lua_shared_dict challenges 8m;
  lua_shared_dict inspected 64m;
  lua_shared_dict crawlers 2m;
  lua_shared_dict relayed 4m;
  lua_shared_dict origins 4m;
  lua_shared_dict hints 8m;
  # The way of a request is one piece for LuaJIT, longer than that takes by itself; every variable that is read counts as a round of a loop.
  init_by_lua_block { require('jit.opt').start('maxirconst=4000', 'maxsnap=2000', 'loopunroll=60'); ${LUA_MODULES}; geo.useFile(${quoted(s.placesFile)}); captchas.useFile(${quoted(s.captchasFile)}); bodies.useFile(${quoted(s.scarceFile)}); leaked.useLeaked(${quoted(s.leakedFile)}); holds.useHoldRoom(${Math.floor(s.connections / HELD_BACK)}, ${s.requestsPerAddress === 0 ? s.connections : Math.ceil(s.requestsPerAddress / HELD_OF_VISITOR / s.workers)}); shares.useRooms(${[LIMITS_MB, BLOCKS_MB, KNOWN_MB, TAGS_MB / 2].map((mb) => keysOfACustomer(mb, s.customerShare)).join(', ')}) }
  # Of a request that was over before it was read, nothing is known to the log.
  uninitialized_variable_warn off;
  server_tokens off;
  default_type application/octet-stream;
  client_header_timeout ${s.patience.clientHeader}s;
  client_body_timeout ${s.patience.clientBody}s;
  client_max_body_size ${s.largestRequestMb}m;
  # Cookies and policies of ordinary websites are longer than nginx expects. What visitors send becomes several headers on
  # the way inside.
  large_client_header_buffers 8 64k;
  # The first is of an answer's head, and a connection that changed its protocol has two; bodies need no larger pieces.
  proxy_buffer_size ${LONGEST_HEAD_KB}k;
  proxy_buffers 18 4k;
  proxy_busy_buffers_size 64k;
  send_timeout 30s;
  keepalive_timeout 65s;
  reset_timedout_connection on;
  proxy_http_version 1.1;
  # Of what is not stored: beyond that an origin waits for its visitor.
  proxy_max_temp_file_size 64m;
${visitorsBound(s)}
  proxy_headers_hash_max_size 1024;
  proxy_headers_hash_bucket_size 128;
  # Files of the cache stay open between requests; a file that was replaced is known by its number.
  open_file_cache max=2000 inactive=20s;
  open_file_cache_valid 20s;
  map $request_uri $fw_written { default $request_uri; '~^(?<before_query>[^?]*)\\?' $before_query; }
  # The path as the visitor wrote it, or what was left of it when a token was taken out.
  map $fw_clean $fw_path { volatile; default $fw_clean; '' $fw_written; }
  map $uri $fw_tail { default ''; '~(?<after_dot>\\.[^./]*)$' $after_dot; }
  # $proxy_add_x_forwarded_for would append the believed address instead of the peer's.
  map $http_x_forwarded_for $fw_forwarded_on { default '$http_x_forwarded_for, $realip_remote_addr'; '' $realip_remote_addr; }
  # What comes over HTTP/3 comes from the front, at a socket, which says where from.
  map $server_port $fw_front { default ''; '' 1; }
  map $fw_front $fw_forwarded { default $fw_forwarded_on; 1 $remote_addr; }
  map $fw_front $fw_protocol { default $server_protocol; 1 HTTP/3.0; }
  # What the cache asks its origin to confirm; on a request that goes past the cache, the visitor's own conditions.
  # What the answer is stored under: not for a request that goes past the cache.
  map $fw_pass $fw_key { volatile; default ''; '' $fw_cache$fw_target; }
  map $fw_pass $fw_if_none_match { volatile; default $http_if_none_match; '' $upstream_cache_etag; }
  map $fw_pass $fw_if_modified_since { volatile; default $http_if_modified_since; '' $upstream_cache_last_modified; }
  map $fw_pass $fw_if_match { volatile; default $http_if_match; '' ''; }
  map $fw_pass $fw_if_unmodified_since { volatile; default $http_if_unmodified_since; '' ''; }
  # A range of what is not stored is asked for as such; of what is, it is cut here.
  map $upstream_cache_status $fw_cold_range { volatile; default ''; MISS $http_range; }
  map $upstream_cache_status $fw_cold_if_range { volatile; default ''; MISS $http_if_range; }
  map $fw_pass $fw_range { volatile; default $http_range; '' $fw_cold_range; }
  map $fw_pass $fw_if_range { volatile; default $http_if_range; '' $fw_cold_if_range; }
  # Named twice: what the inner server ends without an answer is asked once more, where it may be (RFC 9110 9.2.2).
  upstream inner { server ${quoted(`unix:${s.innerSocket}`)} max_fails=0; server ${quoted(`unix:${s.innerSocket}`)} max_fails=0; keepalive 64; }
  upstream tier { server ${quoted(`unix:${s.tierSocket}`)}; keepalive 64; }
  # Nobody listens there: the reserve is served without asking anyone.
  upstream nobody { server ${quoted(`unix:${s.innerSocket}.nobody`)}; }
${originUpstreams()}
  # nginx knows a kept connection by its address only, so one opened for another name would be reused: over TLS this is for connections that change their protocol, and those end with their request.
  upstream origin_upgraded { server 0.0.0.1; balancer_by_lua_block { inner.balance() } }
${requestLogFormat(s)}
${outerServer(s)}
${frontServers(s)}
${tierServer(s)}
${sliceServer(s)}
${innerServer(s)}
${relayServer(s)}
${adminServer(s)}
}
`
}

/**
 * What one address (of IPv6: its /64, textually, where zeros may make two of one) has under way. A proxy that is believed
 * has no bound where it does not say for whom it asks.
 */
function visitorsBound(s: NginxSettings): string {
  if (s.requestsPerAddress === 0) return ''
  const proxies = s.trustedProxies.map((peer) => ` ${peer} 1;`).join('')
  return `  geo $fw_believed { default 0;${proxies} }
  map $fw_believed$remote_addr $fw_bound {
    default '';
    '~^0(?<dotted>.*\\..*)$' $dotted;
    '~^0(?<half>(?:[0-9a-f]+:){4})' $half;
    '~^0(?<short>[0-9a-f:]*::)' $short;
  }
  limit_conn_zone $fw_bound zone=visitors:8m;`
}

function writtenPaths(s: NginxSettings): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${quoted(`${s.prefix}/temp/${kind}`)};`,
  )
  return [
    ...temporary,
    `  proxy_cache_path ${quoted(`${s.prefix}/cache`)} levels=1:2 keys_zone=edge:160m max_size=${s.cacheMb}m min_free=${s.leastFreeMb}m inactive=${INACTIVE_SECONDS}s use_temp_path=off;`,
  ].join('\n')
}

/** All values are strings: nginx writes a status of 0 as 000, which is no JSON number. */
function requestLogFormat(s: NginxSettings): string {
  const fields: Record<string, string> = {
    at: '$msec',
    cdnId: '$fw_cdn',
    owner: '$fw_owner',
    host: '$host',
    method: '$request_method',
    path: '$fw_path',
    id: '$fw_incident',
    status: '$status',
    bytes: '$bytes_sent',
    seconds: '$request_time',
    cacheStatus: '$upstream_cache_status',
    why: '$fw_why',
    client: '$fw_client',
    rttUs: '$fw_rtt',
    threat: '$fw_threat',
    cmcd: '$fw_cmcd',
  }
  return `  log_format requests escape=json '${JSON.stringify(fields)}';
  access_log ${quoted(s.requestLog)} requests buffer=32k flush=1s if=$fw_owner;`
}

/**
 * Connections that may wait to be taken; nginx's own 511 are too few for what one visitor can open at once on a busy
 * edge, and others would be refused. The system's limit bounds it.
 */
const BACKLOG = 'backlog=4096'

/** Of TLS 1.2: only those with a key of their own for each connection, and with authenticated encryption (no CBC). */
const CIPHERS = ['ECDSA', 'RSA']
  .flatMap((key) =>
    ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].map((aead) => `ECDHE-${key}-${aead}`),
  )
  .join(':')

function outerServer(s: NginxSettings): string {
  const listeners = [s.http.host, ...s.simulatedAddresses].map(
    (host) => `    listen ${at({ host, port: s.http.port })} ${BACKLOG};`,
  )
  const tls = [s.https.host, ...s.simulatedAddresses].map(
    (host) => `    listen ${at({ host, port: s.https.port })} ssl http2 ${BACKLOG};`,
  )
  return `  server {
${[...new Set([...listeners, ...tls])].join('\n')}
    server_name _;
${s.front ? `    listen ${quoted(`unix:${s.visitorsSocket}`)} ssl ${BACKLOG};\n    set_real_ip_from unix:;\n` : ''}${s.trustedProxies.map((peer) => `    set_real_ip_from ${peer};\n`).join('')}    real_ip_header X-Forwarded-For;
    real_ip_recursive on;
    ssl_certificate ${quoted(s.certificate)};
    ssl_certificate_key ${quoted(s.certificateKey)};
    ssl_client_hello_by_lua_block { tls.greet() }
    ssl_certificate_by_lua_block { tls.present() }
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_ciphers ${CIPHERS};
    ssl_session_cache shared:tls:8m;
    ${VISITORS_HEADS}
    set $fw_node ${quoted(s.node)}; set $fw_records '${s.records ? '1' : '0'}';
    set $fw_https_port ${s.https.port}; set $fw_body_wait ${s.patience.clientBody};
    ${s.requestsPerAddress > 0 ? `limit_conn visitors ${s.requestsPerAddress}; limit_conn_status 429; limit_conn_log_level info;` : ''}
    set $fw_served ${quoted(`edge/${s.node}`)}; set $fw_next inner;
${['cdn', 'owner', 'cache', 'bypass', 'unkept', 'pass', 'bare', 'tier_key', 'reserve', 'upgrade', 'connection', 'said', 'threat', 'way', 'login', 'shape', 'clean', 'cmcd'].map((name) => `    set $fw_${name} '';`).join('\n')}
    set $fw_incident ''; set $fw_asked $host; set $fw_from $remote_addr;
${REFUSED}
${compression(s)}
    # RFC 9110 13.1.3: what was last changed before that time is not sent again.
    if_modified_since before;
    header_filter_by_lua_block { outer.mark() }
    # The inner server's marks come off, the origin's words come back.
    add_header Cache-Control $fw_word always;
    add_header X-Served-By $fw_served always;
    add_header X-Cache $fw_outcome always;
    add_header X-Cache-Tier $fw_tier_outcome always;
    add_header Cache-Status $fw_cache_status always;
    location = ${EDGE_PATHS.refused} { internal; content_by_lua_block { outer.refuse() } }
    location = ${EDGE_PATHS.test} { rewrite_by_lua_block { outer.enterOwn() } content_by_lua_block { own.testObject() } }
    location = ${EDGE_PATHS.kept} { rewrite_by_lua_block { outer.enterOwn() } content_by_lua_block { own.keptObject() } }
    location = ${EDGE_PATHS.large} { rewrite_by_lua_block { outer.enterOwn() } content_by_lua_block { own.largeObject() } }
    location = ${EDGE_PATHS.health} { rewrite_by_lua_block { outer.enterOwn() } content_by_lua_block { own.health() } }
    location / {
      rewrite_by_lua_block { outer.enter() }
${passedOn(s)}
    }
    # Behind the phase in which requests of an address are counted: content may take its time.
    location @sent {
      access_by_lua_block { outer.enterSent() }
${passedOn(s)}
    }
    location @inspected {
      access_by_lua_block { outer.enterInspected() }
${passedOn(s)}
    }
    # A login whose answer is judged.
    location @login {
      header_filter_by_lua_block { outer.markLogin() }
      body_filter_by_lua_block { outer.readLogin() }
${passedOn(s)}
    }
    location @failed { content_by_lua_block { outer.failed() } }
    # Of the answer that was to be, nothing is said.
    location @stale { header_filter_by_lua_block { return } add_header X-Served-By $fw_served always; content_by_lua_block { outer.refuseStale() } }
    location @unmet { header_filter_by_lua_block { return } add_header X-Served-By $fw_served always; content_by_lua_block { outer.unmet() } }
  }
  # Whose settings the way to the origin has: those of an origin rule, else of the CDN.
  map $fw_way $fw_variant { volatile; default $fw_way; '' $fw_cdn; }
  # What a 304 has said since goes before what is stored.
  map $fw_said $fw_word { volatile; default $fw_said; '' $upstream_http_x_fairway_cc; }
  map $upstream_cache_status $fw_outcome { volatile; default $upstream_cache_status; '' $fw_unasked; }
  map $fw_cache $fw_unasked { volatile; default BYPASS; '' ''; }
  map $upstream_cache_status $fw_tier_outcome { volatile; default $upstream_http_x_cache_tier; HIT ''; }
  # Why it did not come from the cache: for the log, and for whoever asks (RFC 9211).
  map $upstream_http_x_fairway_why $fw_miss { volatile; default $upstream_http_x_fairway_why; '' not-held; }
  map $upstream_http_x_fairway_why $fw_stale { volatile; default $upstream_http_x_fairway_why; '' expired; }
  map $fw_cache $fw_method { volatile; default method; '' ''; }
  map $upstream_cache_status $fw_why { volatile; default ''; MISS $fw_miss; EXPIRED $fw_stale; BYPASS $fw_bypass; '' $fw_method; }
  map $upstream_http_x_fairway_why $fw_kept { volatile; default '; detail=$upstream_http_x_fairway_why'; '' '; stored'; collapsed '; collapsed'; }
  map $fw_cache $fw_past { volatile; default '$fw_served; fwd=method'; '' ''; }
  map $upstream_cache_status $fw_cache_status {
    volatile;
    default '$fw_served; hit; detail=stale';
    HIT '$fw_served; hit';
    MISS '$fw_served; fwd=uri-miss$fw_kept';
    EXPIRED '$fw_served; fwd=stale$fw_kept';
    REVALIDATED '$fw_served; fwd=stale; fwd-status=304';
    BYPASS '$fw_served; fwd=bypass; detail=$fw_bypass';
    '' $fw_past;
  }
  # All that is ever written down of a visitor's address: /24 or /48. Groups that "::" stands for are zero.
  map $remote_addr $fw_client {
    default '';
    '~^(?:.*:)?(?<v4>\\d+\\.\\d+\\.\\d+)\\.\\d+$' $v4.0;
    '~^(?<three>[0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f:]+$' $three::;
    '~^(?<two>[0-9a-f]+:[0-9a-f]+)::' $two:0::;
    '~^(?<one>[0-9a-f]+)::' $one:0:0::;
    '~^::' 0:0:0::;
  }
  # The kernel's smoothed round trip in microseconds; not of a proxy, which is not where the visitor is.
  map '$remote_addr $realip_remote_addr' $fw_rtt { default ''; '~^(\\S+) \\1$' $tcpinfo_rtt; }
  # What objects differ by within a host.
  map $fw_bare $fw_target { default $fw_path$fw_bare; 1 $fw_path; '' $request_uri; }
${OVERRIDES}
  map $request_method $fw_unsafe { default 1; GET ''; HEAD ''; }
  # Headers that ask for something out of the ordinary, if there are any.
  map $http_connection $fw_named { default $http_connection; keep-alive ''; close ''; }
  map $http_if_none_match $fw_both { default $http_if_modified_since; '' ''; }
  map $http_if_match $fw_both_too { default $http_if_unmodified_since; '' ''; }
  map '' $fw_rare { default $http_cdn_loop$http_authorization$http_upgrade$http_x_fairway_trial$fw_named$fw_both$fw_both_too$http_content_length$http_transfer_encoding$fw_unsafe; }
  map $http_cdn_loop $fw_loop { default '$http_cdn_loop, fairway'; '' fairway; }
  map $http_via $fw_via { default '$http_via, $fw_version fairway'; '' '$fw_version fairway'; }
  map $fw_protocol $fw_version { default 1.1; HTTP/3.0 3; 'HTTP/2.0' 2; 'HTTP/1.0' 1.0; }`
}

/** What a request is on its way to the cache and beyond. */
function passedOn(s: NginxSettings): string {
  return `      proxy_pass http://$fw_next;
      proxy_set_header Host $host;
      proxy_set_header Connection $fw_connection;
      proxy_set_header Upgrade $fw_upgrade;
      proxy_set_header X-Fairway-Host $host;
      proxy_set_header X-Fairway-Cdn $fw_variant;
      proxy_set_header X-Fairway-Visitor $remote_addr;
      proxy_set_header X-Fairway-Request $fw_incident;
      proxy_set_header X-Fairway-Tier-Key $fw_tier_key;
      proxy_set_header X-Fairway-Key $fw_key;
      proxy_set_header X-Fairway-Reserve $fw_reserve;
      proxy_set_header X-Real-IP $remote_addr;
      proxy_set_header X-Forwarded-For $fw_forwarded;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Host $host;
${UNKEYED}
      proxy_set_header CDN-Loop $fw_loop;
      proxy_set_header Via $fw_via;
${CONDITIONS}
      proxy_cache edge;
      proxy_cache_key $fw_cache$fw_target;
      proxy_cache_bypass $fw_bypass;
      proxy_no_cache $fw_unkept;
${CACHING}
${['Cache-Control', 'X-Fairway-Cc', 'X-Fairway-Born', 'X-Fairway-At', 'X-Fairway-Id', 'X-Fairway-Why', 'X-Cache-Tier', 'Alt-Svc', ...OTHERS_WORDS, ...FOR_ONE_HOP].map((name) => `      proxy_hide_header ${name};`).join('\n')}
      proxy_read_timeout ${s.patience.origin * 2}s;
      error_page 502 504 = @failed;
      error_page 412 416 @unmet;
      error_page 598 = @stale;
${REFUSED}`
}

/**
 * What nginx refuses by itself, answered like everything else that the edge says. 494 is its own number for headers
 * that are too large (RFC 6585 5).
 */
const REFUSED = `      error_page 400 405 408 413 414 429 497 500 501 503 505 ${EDGE_PATHS.refused};
      error_page 494 =431 ${EDGE_PATHS.refused};`

// Origins make addresses, or even choose what to answer, by what these say, and a stored answer would tell it to
// everybody: no visitor's word is passed on.
const UNKEYED_NAMES = [
  'Forwarded',
  'X-Forwarded',
  'X-Forwarded-By',
  'X-Forwarded-Path',
  'X-Forwarded-Port',
  'X-Forwarded-Prefix',
  'X-Forwarded-Protocol',
  'X-Forwarded-Scheme',
  'X-Forwarded-Server',
  'X-Forwarded-Ssl',
  'X-Forwarded-Uri',
  'X-Host',
  'X-Original-Host',
  'X-Original-Uri',
  'X-Original-Url',
  'X-Rewrite-Url',
  'X-Url-Scheme',
  'Front-End-Https',
  // Settings of a protocol that is not switched to (RFC 7540 3.2.1).
  'HTTP2-Settings',
  // Who the visitor is: X-Real-IP says it, and the end of X-Forwarded-For.
  'CF-Connecting-IP',
  'CF-Connecting-IPv6',
  'Client-IP',
  'Fastly-Client-IP',
  'True-Client-IP',
  'X-Appengine-User-IP',
  'X-Azure-ClientIP',
  'X-Azure-SocketIP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'X-Envoy-External-Address',
  'X-Original-Forwarded-For',
  'X-Originating-IP',
  'X-ProxyUser-IP',
  'X-Remote-Addr',
  'X-Remote-IP',
  // Who has signed in, as a server in front would say it.
  'Remote-User',
  'X-Authenticated-User',
  'X-Forwarded-Client-Cert',
  'X-Forwarded-Email',
  'X-Forwarded-Groups',
  'X-Forwarded-User',
  'X-Remote-User',
  'X-SSL-Client-Cert',
  'X-SSL-Client-Verify',
  // A server's own words to itself; the first becomes HTTP_PROXY in CGI programs (httpoxy).
  'Proxy',
  'X-HTTP-Host-Override',
  'X-Invoke-Path',
  'X-Middleware-Subrequest',
  // Between our own servers.
  'X-Fairway-At',
  'X-Fairway-Born',
  'X-Fairway-Cc',
  'X-Fairway-Id',
  'X-Fairway-Relay',
  'X-Fairway-Relayed',
  'X-Fairway-Slice',
  'X-Fairway-Why',
]
/** RFC 9111 3.1, RFC 9110 7.6.1: an origin's words to whoever stands before it, whether Connection names them or not. */
const FOR_ONE_HOP = ['Proxy-Authenticate', 'Proxy-Authentication-Info', 'Proxy-Authorization', 'Proxy-Connection', 'TE']
/** What other caches say of themselves would be taken for ours. */
const OTHERS_WORDS = ['X-Cache', 'X-Cache-Hits', 'X-Cache-Lookup', 'X-Served-By']
/** A method in place of the one that the cache has seen; other requests may say so, for nothing of them is stored. */
const OVERRIDE_NAMES = ['X-Http-Method', 'X-Http-Method-Override', 'X-Method-Override']
const variableOf = (name: string): string => name.toLowerCase().replaceAll('-', '_')
const UNKEYED = [
  ...UNKEYED_NAMES.map((name) => `      proxy_set_header ${name} '';`),
  ...OVERRIDE_NAMES.map((name) => `      proxy_set_header ${name} $fw_${variableOf(name)};`),
].join('\n')
const OVERRIDES = OVERRIDE_NAMES.map(
  (name) => `  map $request_method $fw_${variableOf(name)} { default $http_${variableOf(name)}; GET ''; HEAD ''; }`,
).join('\n')

// With a cache nginx would drop these headers of every request, also of those that no cache may answer.
const CONDITIONS = `      proxy_set_header If-None-Match $fw_if_none_match;
      proxy_set_header If-Modified-Since $fw_if_modified_since;
      proxy_set_header If-Match $fw_if_match;
      proxy_set_header If-Unmodified-Since $fw_if_unmodified_since;
      proxy_set_header Range $fw_range;
      proxy_set_header If-Range $fw_if_range;`

// The inner server has weighed everything and says the result in Cache-Control: how long fresh, how long after that
// with a new one on its way, how long when the origin fails.
// What failed is answered with an old copy; the header filters refuse that where the origin has forbidden it. Their own
// status leads to a place without them: there the copy still counts as what was looked up.
const CACHING = `      proxy_cache_revalidate on;
      proxy_cache_use_stale error timeout http_500 http_502 http_503 http_504;
      proxy_cache_background_update on;
      proxy_force_ranges on;
      proxy_ignore_headers Expires Set-Cookie X-Accel-Redirect X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset;
      proxy_pass_header Date;
      proxy_pass_header Server;`

/**
 * One group for every time that idle connections may be kept: nginx takes no variable for it. It looks for a group by
 * comparing names, so they differ in their first letters.
 */
function originUpstreams(): string {
  return Array.from(
    { length: 100 },
    (_, i) =>
      `  upstream ${i + 1}.origin { server 0.0.0.1; balancer_by_lua_block { inner.balance() } keepalive 64; keepalive_timeout ${i + 1}s; }`,
  ).join('\n')
}

/** Both are offered here; which of them a visitor gets is said per domain, by what is left of Accept-Encoding. */
function compression(s: NginxSettings): string {
  const types =
    'text/plain text/css text/xml text/javascript text/csv text/markdown application/javascript application/json application/ld+json application/manifest+json application/rss+xml application/atom+xml application/xhtml+xml application/xml application/wasm application/vnd.ms-fontobject application/x-javascript font/otf font/ttf image/svg+xml image/x-icon image/bmp'
  const brotli = s.brotli
    ? `\n    brotli on; brotli_comp_level 4; brotli_min_length ${LEAST_COMPRESSED}; brotli_types ${types};`
    : ''
  return `    gzip on; gzip_proxied any; gzip_comp_level 4; gzip_min_length ${LEAST_COMPRESSED}; gzip_types ${types};${brotli}`
}

/** What the process that speaks HTTP/3 asks for: certificates, and hints before a page. */
function frontServers(s: NginxSettings): string {
  if (!s.front) return ''
  return `  server {
    listen ${quoted(`unix:${s.certificatesSocket}`)};
    access_log off;
    location / { content_by_lua_block { front.certificate() } }
  }
  server {
    listen ${quoted(`unix:${s.hintsSocket}`)} ssl;
    access_log off;
    ${VISITORS_HEADS}
    ssl_certificate ${quoted(s.certificate)};
    ssl_certificate_key ${quoted(s.certificateKey)};
    set_real_ip_from unix:;
    real_ip_header X-Forwarded-For;
    set $fw_incident ''; set $fw_clean ''; set $fw_bare ''; set $fw_cdn ''; set $fw_owner '';
    location / { content_by_lua_block { front.hints() } }
  }`
}

/** One cache behind those of all CDNs: what one of them has fetched, the others need not fetch from the origin. */
function tierServer(s: NginxSettings): string {
  return `  server {
    listen ${quoted(`unix:${s.tierSocket}`)} ${BACKLOG};
    access_log off;
    set $fw_pass '';
    set $fw_incident $http_x_fairway_request; set $fw_asked $http_x_fairway_host; set $fw_from $http_x_fairway_visitor;
    location / {
      header_filter_by_lua_block { inner.fromTier() }
      proxy_pass http://inner;
      proxy_set_header Host $host;
      proxy_set_header Connection '';
      proxy_set_header X-Fairway-Key $http_x_fairway_tier_key;
${CONDITIONS}
      proxy_cache edge;
      proxy_cache_key $http_x_fairway_tier_key;
${CACHING}
      proxy_read_timeout ${s.patience.origin * 2}s;
      error_page 598 = @stale;
    }
    location @stale { header_filter_by_lua_block { return } content_by_lua_block { inner.refuseStale() } }
  }`
}

/** Pieces of objects, each an object of its own; what is no piece is passed on and not stored here. */
function sliceServer(s: NginxSettings): string {
  return `  server {
    listen ${quoted(`unix:${s.sliceSocket}`)} ${BACKLOG};
    access_log off;
    set $fw_incident $http_x_fairway_request; set $fw_asked $http_x_fairway_host; set $fw_from $http_x_fairway_visitor;
    location / {
      header_filter_by_lua_block { inner.fromSlices() }
      proxy_pass http://inner;
      proxy_set_header Host $host;
      proxy_set_header Connection '';
      proxy_set_header X-Fairway-Slice 1;
      proxy_set_header Range $http_range;
      proxy_set_header If-None-Match $upstream_cache_etag;
      proxy_set_header If-Modified-Since $upstream_cache_last_modified;
      proxy_cache edge;
      proxy_cache_key $http_x_fairway_key;
      proxy_no_cache $fw_no_piece;
${CACHING.replace('      proxy_force_ranges on;\n', '')}
      proxy_read_timeout ${s.patience.origin * 2}s;
      error_page 598 = @stale;
    }
    location @stale { header_filter_by_lua_block { return } content_by_lua_block { inner.refuseStale() } }
  }
  map $upstream_status $fw_no_piece { volatile; default 1; 206 ''; }`
}

/** Certificates between an origin's own and the authority's. */
const CHAIN_MOST = 5

/** nginx's own way to an origin: plain HTTP, and what changes its protocol. */
function originProxy(s: NginxSettings): string {
  return `      header_filter_by_lua_block { inner.normalise() }
      body_filter_by_lua_block { return inner.bound() }
      proxy_pass $fw_origin;
      proxy_set_header Host $fw_origin_host;
      proxy_set_header Connection $fw_inner_connection;
      proxy_set_header Upgrade $http_upgrade;
${['Host', 'Cdn', 'Visitor', 'Request', 'Key', 'Slice', 'Tier-Key', 'Reserve', 'Relayed'].map((name) => `      proxy_set_header X-Fairway-${name} '';`).join('\n')}
      proxy_ssl_server_name on;
      proxy_ssl_name $fw_origin_name;
      proxy_ssl_protocols TLSv1.2 TLSv1.3;
      proxy_ssl_session_reuse off;
      proxy_connect_timeout 2s;
      proxy_read_timeout ${s.patience.origin}s;
      proxy_next_upstream error timeout invalid_header;
      proxy_next_upstream_timeout 15s;
      proxy_ignore_headers X-Accel-Expires X-Accel-Redirect X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset;
      proxy_pass_header Date;
      proxy_pass_header Server;
      proxy_request_buffering on;
      error_page 502 504 = @unreachable;`
}

function innerServer(s: NginxSettings): string {
  return `  server {
    listen ${quoted(`unix:${s.innerSocket}`)} ${BACKLOG};
    access_log off;
    log_by_lua_block { inner.done() }
    set $fw_turn ''; set $fw_tries 0; set $fw_asked_tag ''; set $fw_asked_since ''; set $fw_direct ''; set $fw_slices ${quoted(s.sliceSocket)};
    set $fw_customer ''; set $fw_room ${s.room}; set $fw_tunnel ''; set $fw_tunnels ${s.tunnels}; set $fw_most_bytes ${s.largestMb * 1_048_576};
    set $fw_origin ''; set $fw_origin_host ''; set $fw_origin_name ''; set $fw_origin_wait ${s.patience.origin};
    set $fw_incident $http_x_fairway_request; set $fw_asked $http_x_fairway_host; set $fw_from $http_x_fairway_visitor;
    location / {
      rewrite_by_lua_block { inner.enter() }
${originProxy(s)}
    }
    location @alone {
      rewrite_by_lua_block { inner.enterAlone() }
      recursive_error_pages on;
${originProxy(s)}
    }
    location @shared {
      header_filter_by_lua_block { inner.fromShared() }
      recursive_error_pages on;
      proxy_pass http://nobody;
      proxy_cache edge;
      proxy_cache_key $http_x_fairway_key;
      proxy_pass_header Date;
      proxy_pass_header Server;
      error_page 502 504 = @unshared;
    }
    location @sliced { lua_use_default_type off; content_by_lua_block { slices.answer() } }
    location @unshared { rewrite_by_lua_block { inner.enterUnshared() } }
    location @checked {
      rewrite_by_lua_block { inner.enterChecked() }
${originProxy(s)}
      proxy_ssl_verify on;
      proxy_ssl_verify_depth ${CHAIN_MOST};
      proxy_ssl_trusted_certificate ${quoted(s.originAuthorities)};
    }
    location @unreachable { header_filter_by_lua_block { inner.normalise() } content_by_lua_block { peers.unanswered() } }
    location @gone { header_filter_by_lua_block { inner.normalise() } content_by_lua_block { peers.gone() } }
    location @origin {
      lua_use_default_type off;
      # A record of TLS at a time; the module's own default knows no TLS 1.3.
      lua_socket_buffer_size 16k;
      lua_ssl_protocols TLSv1.2 TLSv1.3;
      lua_ssl_trusted_certificate ${quoted(s.originAuthorities)};
      lua_ssl_verify_depth ${CHAIN_MOST};
      header_filter_by_lua_block { inner.normalise() }
      content_by_lua_block { origin.answer() }
    }
    location @direct {
      rewrite_by_lua_block { inner.enterDirect() }
${originProxy(s)}
    }
    # Machines of ours, and nobody else.
    location @relay {
      lua_use_default_type off;
      lua_socket_buffer_size 16k;
      lua_ssl_protocols TLSv1.3;
      lua_ssl_trusted_certificate ${quoted(s.relayCertificate)};
      lua_ssl_verify_depth 1;
      header_filter_by_lua_block { inner.fromRelay() }
      content_by_lua_block { relay.answer() }
    }
    location @reserve {
      header_filter_by_lua_block { inner.fromReserve() }
      proxy_pass http://nobody;
      proxy_cache edge;
      proxy_cache_key $http_x_fairway_reserve;
      proxy_cache_use_stale error timeout;
      proxy_pass_header Date;
      proxy_pass_header Server;
      error_page 502 504 = @gone;
    }
  }
  map $http_upgrade $fw_inner_connection { default upgrade; '' ''; }
  # A proxy that is believed has no bound of its own where it does not say for whom it asks.
  geo $http_x_fairway_visitor $fw_own_tunnels { default ${s.tunnelsPerAddress};${s.trustedProxies.map((peer) => ` ${peer} ${s.tunnels};`).join('')} }`
}

/** Where machines of ours fetch through this one; past web security and the first cache, which are theirs. */
function relayServer(s: NginxSettings): string {
  if (s.relay === null) return ''
  return `  server {
    listen ${at(s.relay)} ssl ${BACKLOG};
    access_log off;
    ssl_certificate ${quoted(s.relayCertificate)};
    ssl_certificate_key ${quoted(s.relayKey)};
    ssl_protocols TLSv1.3;
    ssl_session_tickets off;
    keepalive_timeout 75s;
    keepalive_requests 100000;
    set $fw_next inner;
    set $fw_incident $http_x_fairway_request; set $fw_asked $http_x_fairway_host; set $fw_from $http_x_fairway_visitor;
    location / {
      rewrite_by_lua_block { relay.enter() }
      header_filter_by_lua_block { relay.mark() }
      proxy_pass http://$fw_next;
      proxy_set_header Host $host;
      proxy_set_header Connection '';
      proxy_set_header X-Fairway-Relay '';
      proxy_set_header X-Fairway-Relayed 1;
      proxy_set_header X-Fairway-Key '';
      proxy_set_header X-Fairway-Reserve '';
      proxy_ignore_headers X-Accel-Expires X-Accel-Redirect X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset;
      proxy_pass_header X-Accel-Expires;
      proxy_pass_header Date;
      proxy_pass_header Server;
      proxy_read_timeout ${s.patience.origin * 2}s;
    }
  }`
}

function adminServer(s: NginxSettings): string {
  return `  server {
    listen ${quoted(`unix:${s.adminSocket}`)};
    access_log off;
    set $fw_configuration ${s.configurationId};
    client_max_body_size 32m;
    client_body_buffer_size 32m;
    location = /apply { content_by_lua_block { admin.apply() } }
    location = /crawlers { content_by_lua_block { admin.crawlers() } }
    location = /shield { content_by_lua_block { admin.shield() } }
    location = /origins { content_by_lua_block { admin.origins() } }
    location = /state { content_by_lua_block { admin.state() } }
  }`
}

function at(address: HostPort): string {
  return `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`
}

/** A folder's name may hold spaces or quotes; a dollar would be read as a variable. */
function quoted(text: string): string {
  if (/[$\n]/.test(text))
    throw new Error(
      `nginx cannot use the path ${JSON.stringify(text)}: it contains a dollar sign or a line break. Choose another FAIRWAY_HOME.`,
    )
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
