import crypto from 'node:crypto'
import type { CertificateDetails, ErrorCode } from '@fairway/contract'
import { certificateNamesProblem, isAtOrUnder } from '@fairway/domain'
import { certificatesIn, commonNameOf, detailsOf, namesOf } from './read-certificate.ts'

const RSA_BITS = new Set([1024, 2048])

export type Upload = { certificate: string; privateKey: string; chain: string }
export type CheckedUpload =
  | { problem: ErrorCode }
  | {
      problem: null
      details: CertificateDetails
      names: string[]
      /** Of these, those that the site does not show it for. */ elsewhere: string[]
      chainPem: string
      keyPem: string
    }

/**
 * Everything that can be wrong with an uploaded certificate, in the order in which a person would want to hear it.
 * Nothing outside is asked.
 */
export function checkUpload({ certificate, privateKey, chain }: Upload, siteName: string, now: Date): CheckedUpload {
  const read = certificatesIn(certificate)
  const issuers = certificatesIn(chain)
  if (!read || !issuers || read.length === 0 || (chain.trim() !== '' && issuers.length === 0)) return { problem: 28008 }
  const [leaf, ...rest] = [...read, ...issuers]
  if (!leaf) return { problem: 28001 }
  const key = keyIn(privateKey)
  if (key === null) return { problem: 28008 }
  const problem =
    keyProblem(leaf) ??
    (leaf.checkPrivateKey(key) ? null : 28006) ??
    nameProblem(leaf, siteName) ??
    chainProblem([leaf, ...rest], now) ??
    // Last: what is wrong besides is what its owner can mend first (`openssl req -x509` makes such ones).
    (leaf.ca ? 28021 : null)
  if (problem !== null) return { problem }
  const names = namesOf(leaf)
  return {
    problem: null,
    details: detailsOf(leaf),
    names,
    elsewhere: names.filter((name) => !isOwn(name, siteName)),
    chainPem: [leaf, ...rest].map(String).join(''),
    keyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function keyIn(pem: string): crypto.KeyObject | null {
  try {
    return crypto.createPrivateKey(pem)
  } catch {
    return null
  }
}

function keyProblem({ publicKey }: crypto.X509Certificate): ErrorCode | null {
  if (publicKey.asymmetricKeyType !== 'rsa') return 28009
  return RSA_BITS.has(publicKey.asymmetricKeyDetails?.modulusLength ?? 0) ? null : 28010
}

const isOwn = (name: string, siteName: string) => isAtOrUnder(name.replace(/^\*\./, ''), siteName)

function nameProblem(leaf: crypto.X509Certificate, siteName: string): ErrorCode | null {
  if (commonNameOf(leaf) === '') return 28011
  const names = namesOf(leaf)
  const own = names.filter((name) => isOwn(name, siteName))
  if (own.length === 0) return 28017
  const problem = certificateNamesProblem(names, siteName)
  // Names of other sites may stand in the same certificate: it is shown for none of them (`chosenCertificates`).
  return problem === 28017 ? certificateNamesProblem(own, siteName) : problem
}

/** Each certificate is issued by the next; the last need not be a root. */
function chainProblem(chain: crypto.X509Certificate[], now: Date): ErrorCode | null {
  for (const [index, one] of chain.entries()) {
    const issuer = chain[index + 1]
    if (issuer && !(one.checkIssued(issuer) && one.verify(issuer.publicKey))) return 28007
    if (one.validToDate <= now) return index === 0 ? 28004 : 28013
  }
  return null
}
