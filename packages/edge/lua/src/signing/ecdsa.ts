import * as ffi from 'ffi'

let declared = false

function declare(): void {
  if (declared) return
  declared = true
  ffi.cdef(
    'void *fairway_d2i_pubkey(void *into, const unsigned char **bytes, long length) __asm__("d2i_PUBKEY"); const void *fairway_sha256(void) __asm__("EVP_sha256"); void *fairway_md_new(void) __asm__("EVP_MD_CTX_new"); void fairway_md_free(void *context) __asm__("EVP_MD_CTX_free"); int fairway_verify_init(void *context, void **into, const void *digest, void *engine, void *key) __asm__("EVP_DigestVerifyInit"); int fairway_verify(void *context, const char *signature, size_t signature_length, const char *text, size_t text_length) __asm__("EVP_DigestVerify"); void fairway_clear_errors(void) __asm__("ERR_clear_error");',
  )
}

// Parsed keys of this worker, by what they were parsed from. They are never given back: there are few.
let parsed: Record<string, ffi.PublicKey | false | undefined> = {}
let parsedCount = 0
const PARSED_MAX = 5_000

function keyOf(publicKey: string): ffi.PublicKey | undefined {
  const known = parsed[publicKey]
  if (known !== undefined) return known || undefined
  const der = ngx.decode_base64(publicKey)
  // The string must outlive the pointer to it.
  const key =
    der === undefined
      ? undefined
      : ffi.C.fairway_d2i_pubkey(undefined, ffi.new('const unsigned char*[1]', [der]), der.length)
  if (parsedCount >= PARSED_MAX) {
    parsed = {}
    parsedCount = 0
  }
  parsedCount += 1
  // A null pointer equals nil, and is none.
  parsed[publicKey] = key === undefined ? false : key
  return key === undefined ? undefined : key
}

/** Whether a signature (r and s, 32 bytes each) of a text is by this key: ECDSA with SHA-256. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  declare()
  const key = keyOf(publicKey)
  if (key === undefined) return false
  const context = ffi.C.fairway_md_new()
  if (context === undefined) return false
  const der = derOf(signature)
  const isRight =
    ffi.C.fairway_verify_init(context, undefined, ffi.C.fairway_sha256(), undefined, key) === 1 &&
    ffi.C.fairway_verify(context, der, der.length, text, text.length) === 1
  ffi.C.fairway_md_free(context)
  // What stays in OpenSSL's queue would be taken for an error of the next connection.
  if (!isRight) ffi.C.fairway_clear_errors()
  return isRight
}

/** The two numbers as OpenSSL reads them: ECDSA-Sig-Value (RFC 3279 2.2.3) in DER. */
function derOf(signature: string): string {
  const both = `${integer(signature.slice(0, 32))}${integer(signature.slice(32, 64))}`
  return `${String.fromCharCode(48, both.length)}${both}`
}

function integer(bytes: string): string {
  let from = 0
  while (from < bytes.length - 1 && bytes.charCodeAt(from) === 0) from += 1
  const digits = bytes.slice(from)
  const body = digits.charCodeAt(0) >= 128 ? `${String.fromCharCode(0)}${digits}` : digits
  return `${String.fromCharCode(2, body.length)}${body}`
}
