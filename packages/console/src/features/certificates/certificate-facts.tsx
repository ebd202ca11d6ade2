import type { CertificateDetails, ChallengeType } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import classes from './certificates.module.css'

/** What stands in a certificate. */
export function CertificateFacts({
  details,
  challenge,
}: {
  details: CertificateDetails
  challenge: ChallengeType | null
}) {
  const { t } = useTranslation('certificates')
  const format = useFormat()
  return (
    <dl className={classes.facts}>
      <dt>{t('fact.commonName')}</dt>
      <dd>{details.commonName}</dd>
      <dt>{t('fact.names')}</dt>
      <dd>{details.names.join(', ')}</dd>
      <ChallengeFact challenge={challenge} />
      <dt>{t('fact.issuer')}</dt>
      <dd>{details.issuer}</dd>
      <dt>{t('fact.validity')}</dt>
      <dd>
        {t('fromTo', {
          from: format.dateTime(Date.parse(details.notBefore)),
          to: format.dateTime(Date.parse(details.notAfter)),
        })}
      </dd>
      <dt>{t('fact.publicKey')}</dt>
      <dd>{details.publicKey}</dd>
      <dt>{t('fact.signature')}</dt>
      <dd>{details.signatureAlgorithm}</dd>
      <dt>{t('fact.serial')}</dt>
      <dd className={classes.mono}>{details.serialNumber}</dd>
      <dt>{t('fact.fingerprint')}</dt>
      <dd className={classes.mono}>{details.fingerprint}</dd>
    </dl>
  )
}

/** How it was proven that the names are ours; nothing of an uploaded one. */
export function ChallengeFact({ challenge }: { challenge: ChallengeType | null }) {
  const { t } = useTranslation('certificates')
  return (
    challenge !== null && (
      <>
        <dt>{t('challenge')}</dt>
        <dd>
          {t(`challengeChoice.${challenge}`)} ({challenge.toUpperCase()})
        </dd>
      </>
    )
  )
}
