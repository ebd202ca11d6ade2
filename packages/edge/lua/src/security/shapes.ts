import { isWithin, pathOf, shapeOf } from '@fairway/domain/web-security'
import * as json from 'cjson.safe'
import type { SecurityDocument } from '../policy/documents.ts'
import { readContent } from './content.ts'
import { customerOf } from './customer-of.ts'
import { noTurns, takesTurn } from './turns.ts'

/** What schemas are learned from. */
const turns = noTurns()
const DOMAINS_MOST = 10_000

type Drawn = { second: number; passed: number; client: string }
let domains: Record<string, Drawn | undefined> = {}
let known = 0

/** Marks a request that went past all rules: its form may be written down when it has been answered. */
export function mayShow({ paths }: SecurityDocument['rules']['schema']): void {
  if (isWithin(paths, pathOf(ngx.var.request_uri ?? '/'))) ngx.var.fw_shape = '1'
}

/** Header filter: puts the form of some requests that have an answer into their lines. */
export function showShape(): void {
  ngx.var.fw_shape = ''
  const { status } = ngx
  if ((status < 200 || status > 299) && status !== 304) return
  const domain = drawnOf(ngx.var.fw_owner ?? '')
  domain.passed += 1
  if (!isDrawn(domain)) return
  const shape = shapeOf(
    ngx.var.request_method ?? '',
    ngx.var.request_uri ?? '/',
    ngx.var.http_content_type ?? '',
    readContent(),
  )
  if (shape === undefined) return
  const { segments, kind, size, fields, isWhole } = shape
  // An empty list would be written as an object.
  const text = json.encode({
    segments: segments.length > 0 ? segments : undefined,
    kind,
    size,
    fields: fields.length > 0 ? fields : undefined,
    isWhole,
    weight: domain.passed,
  })
  domain.passed = 0
  if (text === undefined) return
  const told = ngx.var.fw_threat ?? ''
  ngx.var.fw_threat = told === '' ? `{"shape":${text}}` : `${told.slice(0, told.length - 1)},"shape":${text}}`
}

function drawnOf(owner: string): Drawn {
  const found = domains[owner]
  if (found !== undefined) return found
  if (known >= DOMAINS_MOST) {
    domains = {}
    known = 0
  }
  const domain = { second: 0, passed: 0, client: '' }
  domains[owner] = domain
  known += 1
  return domain
}

/** Not one network after itself: whoever asks most would be all that is learned from. */
function isDrawn(domain: Drawn): boolean {
  const now = ngx.time()
  if (domain.second !== now) {
    domain.second = now
    domain.client = ''
  }
  const client = ngx.var.fw_client ?? ''
  if (client === domain.client || !takesTurn(turns, customerOf(ngx.var.fw_owner ?? ''), now)) return false
  domain.client = client
  return true
}
