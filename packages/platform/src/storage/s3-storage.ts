import fs from 'node:fs'
import { Readable } from 'node:stream'
import type { GetObjectCommandOutput, S3Client, ServerSideEncryption } from '@aws-sdk/client-s3'
import type { Config } from '../config.ts'
import { type ByteRange, NotStored, type Storage, StorageError, type StoredObject, checkKey } from './storage.ts'

export type S3Settings = Pick<Config, 's3Endpoint' | 's3Region' | 's3Key' | 's3KeyFile' | 's3Encryption'>

/** The service takes 10,000 of them: 160 GB, while what is held in memory is two. */
const PART_BYTES = 16 << 20
const PARTS_AT_A_TIME = 2
/** Somebody who watches waits for no more than the edge does; a copy that takes hours has time. */
export type Patience = 'long' | 'short'
const PATIENCE = {
  long: { attempts: 5, requestHandler: { connectionTimeout: 10_000, socketTimeout: 60_000 } },
  short: { attempts: 2, requestHandler: { connectionTimeout: 2_000, socketTimeout: 4_000 } },
}
const PLACE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/

/** Bucket and prefix of `s3://bucket/prefix`; null for what is no such address. @throws StorageError */
export function readS3Place(text: string): { bucket: string; prefix: string } | null {
  if (!text.startsWith('s3://')) return null
  const [, bucket, prefix = ''] = PLACE.exec(text) ?? []
  if (bucket === undefined) throw new StorageError(`${text} is no address of a bucket: it is like s3://bucket/prefix.`)
  const trimmed = prefix.replaceAll(/^\/+|\/+$/g, '')
  return { bucket, prefix: trimmed === '' ? '' : `${checkKey(trimmed)}/` }
}

/** A bucket of S3 or of what speaks like it, and a prefix in it. The library is loaded when it is first asked. */
export function s3Storage(
  { bucket, prefix }: { bucket: string; prefix: string },
  settings: S3Settings,
  patience: Patience,
): Storage {
  const { attempts } = PATIENCE[patience]
  const address = (key = '') => `s3://${bucket}/${prefix}${key}`
  let opened: Promise<{ sdk: typeof import('@aws-sdk/client-s3'); client: S3Client }> | null = null
  const open = () => (opened ??= openClient(settings, patience))
  const named = (key: string) => ({ Bucket: bucket, Key: `${prefix}${checkKey(key)}` })
  const encryption = encryptionOf(settings.s3Encryption)
  const head = async (key: string): Promise<StoredObject | null> => {
    const { sdk, client } = await open()
    try {
      const found = await client.send(new sdk.HeadObjectCommand(named(key)))
      return { key, bytes: found.ContentLength ?? 0, changedAt: found.LastModified?.getTime() ?? 0 }
    } catch (error) {
      if (isMissing(error)) return null
      throw failure(error, address(key))
    }
  }
  return {
    address,
    async put(key, bytes) {
      const { client } = await open()
      const { Upload } = await import('@aws-sdk/lib-storage')
      let own: { error: unknown } | null = null
      const watched = async function* () {
        try {
          yield* bytes
        } catch (error) {
          own = { error }
          throw error
        }
      }
      // What fails is taken away there too: parts that nobody sees cost all the same.
      const upload = new Upload({
        client,
        params: { ...named(key), ...encryption, Body: Readable.from(watched(), { objectMode: false }) },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_A_TIME,
        leavePartsOnError: false,
      })
      try {
        await upload.done()
      } catch (error) {
        const found = own as { error: unknown } | null
        throw found ? found.error : failure(error, address(key))
      }
      const stored = await head(key)
      if (stored === null) throw new StorageError(`${address(key)} was taken away while it was written.`)
      return stored
    },
    async *get(key, range) {
      const { sdk, client } = await open()
      if (range?.to !== undefined && range.to <= range.from) return
      let [from, tag, attempt]: [number, string | undefined, number] = [range?.from ?? 0, undefined, 1]
      for (;;) {
        try {
          const answer: GetObjectCommandOutput = await client.send(
            new sdk.GetObjectCommand({ ...named(key), ...rangeHeader({ ...range, from }), IfMatch: tag }),
          )
          tag = answer.ETag
          for await (const bytes of answer.Body as AsyncIterable<Buffer>) {
            from += bytes.length
            attempt = 1
            yield bytes
          }
          return
        } catch (error) {
          if (isMissing(error)) throw new NotStored(`There is no object ${address(key)}.`)
          // Nothing more was there from here on.
          if (nameOf(error) === 'InvalidRange') return
          // One that breaks off goes on where it was, as long as it is still the same object.
          const isBroken = statusOf(error) === null && from > (range?.from ?? 0)
          if (!isBroken || attempt++ >= attempts) throw failure(error, address(key))
        }
      }
    },
    head,
    async *list(under = '') {
      const { sdk, client } = await open()
      let after: string | undefined
      do {
        // The older listing, which goes on by key: whatever speaks like S3 has it whole.
        const page = await client
          .send(new sdk.ListObjectsCommand({ Bucket: bucket, Prefix: `${prefix}${under}`, Marker: after }))
          .catch((error: unknown) => {
            throw failure(error, address())
          })
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const key = Key.slice(prefix.length)
          if (key !== '') yield { key, bytes: Size, changedAt: LastModified?.getTime() ?? 0 }
        }
        after = page.IsTruncated ? (page.NextMarker ?? page.Contents?.at(-1)?.Key) : undefined
      } while (after !== undefined)
    },
    async delete(key) {
      const { sdk, client } = await open()
      await client.send(new sdk.DeleteObjectCommand(named(key))).catch((error: unknown) => {
        if (!isMissing(error)) throw failure(error, address(key))
      })
    },
    // Several may put into one bucket; a lifecycle rule takes away what was begun and never ended.
    async sweep() {},
    async [Symbol.asyncDispose]() {
      // One that could not be opened has been told already.
      ;(await opened?.catch(() => null))?.client.destroy()
    },
  }
}

async function openClient(settings: S3Settings, patience: Patience) {
  const sdk = await import('@aws-sdk/client-s3')
  const { s3Endpoint: endpoint, s3Region: region } = settings
  const credentials = keyOf(settings)
  const client = new sdk.S3Client({
    region,
    maxAttempts: PATIENCE[patience].attempts,
    requestHandler: PATIENCE[patience].requestHandler,
    // What only speaks like S3 often does not know the newer checksums in trailers, nor names of buckets as hosts.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === '' ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === null ? {} : { credentials }),
  })
  return { sdk, client }
}

/** Null leaves it to the library: AWS_* of the environment, a profile, the role of the machine. */
function keyOf({ s3Key, s3KeyFile }: S3Settings): { accessKeyId: string; secretAccessKey: string } | null {
  const text = s3KeyFile === '' ? s3Key : readKeyFile(s3KeyFile)
  if (text === '') return null
  const at = text.indexOf(':')
  if (at < 1 || at === text.length - 1)
    throw new StorageError('The key of S3 must be like <access key id>:<secret access key>, on the first line.')
  return { accessKeyId: text.slice(0, at), secretAccessKey: text.slice(at + 1) }
}

function readKeyFile(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').split(/\r?\n/)[0]?.trim() ?? ''
  } catch (error) {
    throw new StorageError(`The file of the key of S3, ${file}, cannot be read.`, { cause: error })
  }
}

function encryptionOf(text: string): { ServerSideEncryption?: ServerSideEncryption; SSEKMSKeyId?: string } {
  if (text === '') return {}
  const [, kms, key] = /^(aws:kms)(?::(.+))?$/.exec(text) ?? []
  if (kms === undefined) return { ServerSideEncryption: 'AES256' }
  return { ServerSideEncryption: 'aws:kms', ...(key === undefined ? {} : { SSEKMSKeyId: key }) }
}

function rangeHeader({ from, to }: ByteRange): { Range?: string } {
  return from === 0 && to === undefined ? {} : { Range: `bytes=${from}-${to === undefined ? '' : to - 1}` }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')
const isMissing = (error: unknown): boolean =>
  nameOf(error) === 'NoSuchKey' ||
  nameOf(error) === 'NotFound' ||
  (statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket')

function statusOf(error: unknown): number | null {
  const status = (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode
  return status ?? null
}

const WORDS: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket',
  AccessDenied: 'the key may not do that there',
  Forbidden: 'the key may not do that there',
  InvalidAccessKeyId: 'the service does not know the key: FAIRWAY_S3_KEY or FAIRWAY_S3_KEY_FILE',
  SignatureDoesNotMatch: 'the secret of the key is wrong: FAIRWAY_S3_KEY or FAIRWAY_S3_KEY_FILE',
  CredentialsProviderError: 'no key is known: name one in FAIRWAY_S3_KEY_FILE',
  PermanentRedirect: 'the bucket is in another region: FAIRWAY_S3_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region: FAIRWAY_S3_REGION',
}

function failure(error: unknown, address: string): StorageError {
  if (error instanceof StorageError) return error
  const said = error instanceof Error ? error.message : String(error)
  return new StorageError(`${address}: ${WORDS[nameOf(error)] ?? (said || nameOf(error))}.`, { cause: error })
}
