/** The part of lua-nginx-module's interface that the edge uses. */
interface SharedDict {
  get(this: SharedDict, key: string): LuaMultiReturn<[string | undefined]>
  /** Says "no memory" where `set` would throw out another key. */
  safe_set(
    this: SharedDict,
    key: string,
    value: string,
    ttlSeconds?: number,
  ): LuaMultiReturn<[boolean | undefined, string | undefined]>
  /** The third answer is true when another key had to go for it. */
  set(
    this: SharedDict,
    key: string,
    value: string,
    ttlSeconds?: number,
  ): LuaMultiReturn<[boolean | undefined, string | undefined, boolean | undefined]>
  /** Not when the key is there already. */
  add(
    this: SharedDict,
    key: string,
    value: string,
    ttlSeconds: number,
  ): LuaMultiReturn<[boolean | undefined, string | undefined]>
  delete(this: SharedDict, key: string): void
  /** Lists: puts one at the end, and says how many there are then. */
  rpush(this: SharedDict, key: string, value: string): LuaMultiReturn<[number | undefined, string | undefined]>
  lpop(this: SharedDict, key: string): LuaMultiReturn<[string | undefined]>
  get_keys(this: SharedDict, most: number): string[]
  llen(this: SharedDict, key: string): LuaMultiReturn<[number | undefined]>
  /** Not of a key that is not there, unless it is said what it begins with. */
  incr(
    this: SharedDict,
    key: string,
    by: number,
    initial?: number,
    initialTtlSeconds?: number,
  ): LuaMultiReturn<[number | undefined, string | undefined, boolean | undefined]>
  /** Bytes of pages that nothing lies in, and of all. */
  free_space(this: SharedDict): number
  capacity(this: SharedDict): number
}

declare const ngx: {
  readonly HTTP_OK: number
  readonly ERR: number
  readonly WARN: number
  /** Ends a request without an answer. */
  readonly ERROR: number
  status: number
  header: Record<string, string | string[] | undefined>
  ctx: {
    peers?: string[]
    attempt?: number
    policy?: import('./policy/documents.ts').PolicyDocument
    isStored?: boolean
    /** Bytes after which an answer that did not say its length ends. */ mostBytes?: number
    /** What the visitor sends was read. */ isRead?: boolean
    /** Another machine's answer is shown as it is. */ isRelayed?: boolean
    /** What a machine that asks for an answer is told in its place. */ relayFailed?: 'asked' | 'unasked'
    /** A login whose answer is judged. */ login?: import('@fairway/domain/web-security').LoginAttempt
    /** What of the answer was read so far. */ answerText?: string
    responseHeaders?: import('@fairway/domain/web-security').HeaderChange[]
  }
  /** In a body filter: a part of the answer, and whether it is the last. To be asked for one by one. */
  readonly arg: { readonly 1: string; readonly 2: boolean }
  var: Record<string, string | undefined>
  shared: {
    policies: SharedDict
    marks: SharedDict
    counters: SharedDict
    turns: SharedDict
    fetching: SharedDict
    unshared: SharedDict
    renewed: SharedDict
    tags: SharedDict
    freshened: SharedDict
    invalidated: SharedDict
    limits: SharedDict
    blocks: SharedDict
    known: SharedDict
    challenges: SharedDict
    inspected: SharedDict
    crawlers: SharedDict
    relayed: SharedDict
    origins: SharedDict
    hints: SharedDict
  }
  req: {
    read_body(this: void): void
    get_body_data(this: void): string | undefined
    get_body_file(this: void): string | undefined
    get_method(this: void): string
    /** Seconds with milliseconds. */
    start_time(this: void): number
    /** As it came, with the line of the request; HTTP/1 only. */
    raw_header(this: void): string
    get_headers(this: void, max: number, raw: boolean): Record<string, string | string[] | boolean>
    set_header(this: void, name: string, value: string): void
    /** Path without the query; nginx passes it on in place of what the visitor wrote. */
    set_uri(this: void, path: string, jump: boolean): void
    set_uri_args(this: void, args: string): void
    clear_header(this: void, name: string): void
  }
  resp: { get_headers(this: void, max: number, raw: boolean): Record<string, string | string[]> }
  exec(this: void, location: string): void
  exit(this: void, status: number): void
  print(this: void, text: string | string[]): void
  /** Undefined when the visitor has gone. */
  flush(this: void, wait: boolean): LuaMultiReturn<[number | undefined, string | undefined]>
  socket: { tcp(this: void): TcpSocket }
  thread: {
    /** Runs until it waits for something. */
    spawn(this: void, run: (this: void) => void): LightThread
    kill(this: void, thread: LightThread): void
  }
  sleep(this: void, seconds: number): void
  time(this: void): number
  /** Seconds with milliseconds. */
  now(this: void): number
  md5_bin(this: void, text: string): string
  unescape_uri(this: void, text: string): string
  sha1_bin(this: void, text: string): string
  hmac_sha1(this: void, key: string, text: string): string
  decode_base64(this: void, text: string): string | undefined
  log(this: void, level: number, ...text: string[]): void
  http_time(this: void, seconds: number): string
}

declare module 'cjson.safe' {
  /** Undefined when the text is not JSON. */
  export function decode(text: string): unknown
  export function encode(value: unknown): string | undefined
}

declare module 'ngx.ssl' {
  /** Parsed forms are the library's own. */
  export type ParsedChain = { readonly chain: unique symbol }
  export type ParsedKey = { readonly key: unique symbol }
  /** The name that the client asks for; undefined when it does not say. */
  export function server_name(): LuaMultiReturn<[string | undefined, string | undefined]>
  export function clear_certs(): LuaMultiReturn<[boolean | undefined, string | undefined]>
  export function parse_pem_cert(pem: string): LuaMultiReturn<[ParsedChain | undefined, string | undefined]>
  export function parse_pem_priv_key(pem: string): LuaMultiReturn<[ParsedKey | undefined, string | undefined]>
  export function set_cert(chain: ParsedChain): LuaMultiReturn<[boolean | undefined, string | undefined]>
  export function set_priv_key(key: ParsedKey): LuaMultiReturn<[boolean | undefined, string | undefined]>
}

declare module 'ngx.balancer' {
  export function set_current_peer(
    address: string,
    port: number,
  ): LuaMultiReturn<[boolean | undefined, string | undefined]>
  export function set_more_tries(count: number): void
  export function get_last_failure(): LuaMultiReturn<[string | undefined, number | undefined]>
}

declare const io: {
  open(this: void, file: string, mode: string): LuaMultiReturn<[LuaFile | undefined, string | undefined]>
}
interface LightThread {
  readonly thread: unique symbol
}
interface LuaFile {
  read(this: LuaFile, what: string | number): string | undefined
  /** Where it stands then: at the end, how long it is. */
  seek(this: LuaFile, from: 'end'): LuaMultiReturn<[number | undefined]>
  close(this: LuaFile): void
}
declare const os: { date(this: void, format: string, seconds: number): string }
declare const string: {
  format(this: void, form: string, value: number): string
  find(
    this: void,
    text: string,
    pattern: string,
    from: number,
  ): LuaMultiReturn<[number | undefined, number | undefined, string | undefined]>
  gsub(
    this: void,
    text: string,
    pattern: string,
    by: string | Record<string, string> | ((this: void, found: string) => string),
  ): LuaMultiReturn<[string, number]>
}

/** A connection of the lua module's own. */
interface TcpSocket {
  settimeouts(this: TcpSocket, connectMs: number, sendMs: number, readMs: number): void
  /** A kept one of the pool, if there is one. */
  connect(
    this: TcpSocket,
    host: string,
    port: number,
    options?: { pool: string; pool_size: number },
  ): LuaMultiReturn<[number | undefined, string | undefined]>
  /** To a socket of this machine: `unix:` and its path. */
  connect(this: TcpSocket, path: string): LuaMultiReturn<[number | undefined, string | undefined]>
  /** How often the connection was kept. */
  getreusedtimes(this: TcpSocket): LuaMultiReturn<[number | undefined, string | undefined]>
  /**
   * Answers with the session; true when the first word is false, for a handshake without one. On a connection that has
   * shaken hands it only says the session.
   */
  sslhandshake(
    this: TcpSocket,
    session: TlsSession | undefined,
    name: string | undefined,
    verify: boolean,
  ): LuaMultiReturn<[TlsSession | undefined, string | undefined]>
  sslhandshake(
    this: TcpSocket,
    session: TlsSession | false,
    name: string | undefined,
    verify: boolean,
  ): LuaMultiReturn<[TlsSession | boolean | undefined, string | undefined]>
  send(this: TcpSocket, data: string): LuaMultiReturn<[number | undefined, string | undefined]>
  /** What there is, at most so much. */
  receiveany(this: TcpSocket, max: number): LuaMultiReturn<[string | undefined, string | undefined]>
  /** A line without its end (`*l`), or so many bytes. */
  receive(this: TcpSocket, what: string | number): LuaMultiReturn<[string | undefined, string | undefined]>
  close(this: TcpSocket): void
  /** Puts the connection into its pool. */
  setkeepalive(
    this: TcpSocket,
    idleMs: number,
    poolSize: number,
  ): LuaMultiReturn<[number | undefined, string | undefined]>
}
interface TlsSession {
  readonly session: unique symbol
}

declare function pcall<A extends unknown[], R>(
  this: void,
  does: (this: void, ...args: A) => R,
  ...args: A
): LuaMultiReturn<[true, R] | [false, unknown]>
declare function tonumber(text: string | number | undefined): number | undefined

/** LuaJIT's own. */
declare module 'bit' {
  /** Eight hexadecimal digits of the lower 32 bits. */
  export function tohex(value: number): string
}

declare module 'ffi' {
  /** Memory of C. Counted from 0, as there. */
  export interface Memory {
    [index: number]: number
  }
  export interface Pointers {
    readonly [index: number]: { readonly address: unique symbol }
  }
  export type PublicKey = { readonly publicKey: unique symbol }
  export type Digest = { readonly digest: unique symbol }
  export type DigestContext = { readonly digestContext: unique symbol }
  /** Of memory; adding goes on by bytes. */
  export type Address = number & { readonly address: unique symbol }
  export function cdef(this: void, declarations: string): void
  export function cast(type: 'const char*', pointer: Address): number
  export function cast(type: 'const uint32_t*' | 'const uint16_t*', pointer: number): Memory
  export function cast(type: 'intptr_t', pointer: Address): number
  function text(this: void, pointer: number | Room, length: number): string
  export { text as string }
  function allocate(type: 'size_t[1]'): Memory
  function allocate(type: 'const unsigned char*[1]' | 'char*[1]'): Pointers
  function allocate(type: 'const unsigned char*[1]', texts: [string]): Pointers
  function allocate(type: 'size_t[1]', numbers: [number]): Memory
  function allocate(type: 'const char*[1]', texts: [string]): Pointers
  function allocate(type: 'unsigned char*[1]', places: [Room]): Pointers
  function allocate(type: 'unsigned char[65536]'): Room
  function allocate(type: 'fairway_zlib_stream[1]'): Struct<ZlibStream>
  function allocate(type: 'fairway_zstd_in[1]', fields: [ZstdIn]): Struct<ZstdIn>
  function allocate(type: 'fairway_zstd_out[1]', fields: [ZstdOut]): Struct<ZstdOut>
  export { allocate as new }
  /** Memory of our own that a library writes into. */
  export type Room = Memory & { readonly room: unique symbol }
  export interface Struct<Fields> {
    readonly [index: number]: Fields
  }
  export type ZlibStream = { next_in: string; avail_in: number; next_out: Room; avail_out: number }
  export type ZstdIn = { from: string; size: number; at: number }
  export type ZstdOut = { into: Room; size: number; at: number }
  export type BrotliState = { readonly brotliState: unique symbol }
  export type ZstdContext = { readonly zstdContext: unique symbol }
  /** A library of the machine. It throws when there is none. */
  export function load(
    this: void,
    name: 'libz.so.1',
  ): {
    fairway_inflate_init(
      this: void,
      stream: Struct<ZlibStream>,
      bits: number,
      version: string,
      structBytes: number,
    ): number
    fairway_inflate(this: void, stream: Struct<ZlibStream>, flush: number): number
    fairway_inflate_reset(this: void, stream: Struct<ZlibStream>): number
    fairway_inflate_end(this: void, stream: Struct<ZlibStream>): number
  }
  export function load(
    this: void,
    name: 'libbrotlidec.so.1',
  ): {
    fairway_brotli_new(this: void, allocate: undefined, free: undefined, opaque: undefined): BrotliState | undefined
    fairway_brotli_next(
      this: void,
      state: BrotliState,
      left: Memory,
      from: Pointers,
      room: Memory,
      into: Pointers,
      total: undefined,
    ): number
    fairway_brotli_free(this: void, state: BrotliState): void
  }
  export function load(
    this: void,
    name: 'libzstd.so.1',
  ): {
    fairway_zstd_new(this: void): ZstdContext | undefined
    fairway_zstd_set(this: void, context: ZstdContext, parameter: number, value: number): number
    fairway_zstd_next(this: void, context: ZstdContext, out: Struct<ZstdOut>, from: Struct<ZstdIn>): number
    fairway_zstd_is_error(this: void, code: number): number
    fairway_zstd_free(this: void, context: ZstdContext): number
  }
  export function cast(type: 'unsigned char*', pointer: Pointers[0] | undefined): Memory
  export const C: {
    fairway_open(this: void, path: string, flags: number): number
    fairway_lseek(this: void, file: number, offset: number, from: number): number
    fairway_mmap(
      this: void,
      at: undefined,
      size: number,
      protection: number,
      flags: number,
      file: number,
      offset: number,
    ): Address
    fairway_close(this: void, file: number): number
    fairway_munmap(this: void, at: Address, size: number): number
    /** OpenSSL's, which nginx is linked with. Nothing is undefined here: a null pointer is one that equals `undefined`. */
    fairway_d2i_pubkey(this: void, into: undefined, bytes: Pointers, length: number): PublicKey | undefined
    fairway_sha256(this: void): Digest
    fairway_md_new(this: void): DigestContext | undefined
    fairway_md_free(this: void, context: DigestContext): void
    fairway_verify_init(
      this: void,
      context: DigestContext,
      into: undefined,
      digest: Digest,
      engine: undefined,
      key: PublicKey,
    ): number
    /** 1 for a signature that is right. */
    fairway_verify(
      this: void,
      context: DigestContext,
      signature: string,
      signatureLength: number,
      text: string,
      textLength: number,
    ): number
    fairway_clear_errors(this: void): void
    ngx_http_lua_ffi_ssl_get_client_hello_ext(
      this: void,
      request: unknown,
      type: number,
      found: Pointers,
      length: Memory,
      problem: Pointers,
    ): number
  }
}

declare module 'resty.core.base' {
  export function get_request(): unknown
}

declare module 'ngx.ocsp' {
  /** Undefined with the reason, which may be that the visitor has not asked for it. */
  export function set_ocsp_status_resp(response: string): LuaMultiReturn<[boolean | undefined, string | undefined]>
}

declare module 'ngx.ssl.clienthello' {
  export function get_client_hello_server_name(): LuaMultiReturn<[string | undefined, string | undefined]>
}
