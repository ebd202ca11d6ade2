import type { DnssecKey } from '@fairway/contract'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Copy } from '../../ui/marks/copy.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './dns-settings.module.css'

type ZoneKeyProps = { zone: string; zoneKey: DnssecKey; open: boolean }

const DIGEST = 'SHA-256'
const ALGORITHM = 'ECDSA P-256 SHA-256'

/** What a registrar's form asks for, field by field: most want the DS record, some the key itself. */
export function ZoneKey({ zone, zoneKey, open }: ZoneKeyProps) {
  const { t } = useTranslation('dns-settings')
  const [asked, setAsked] = useState<'ds' | 'key'>('ds')
  const { tag, algorithm, digestType, digest, flags, publicKey, atParent } = zoneKey
  const rows: [string, string, string?][] =
    asked === 'ds'
      ? [
          [t('field.keyTag'), String(tag)],
          [t('field.algorithm'), String(algorithm), ALGORITHM],
          [t('field.digestType'), String(digestType), DIGEST],
          [t('field.digest'), digest],
          [t('field.record'), `${zone}. IN DS ${tag} ${algorithm} ${digestType} ${digest}`],
        ]
      : [
          [t('field.flags'), String(flags), 'KSK'],
          [t('field.protocol'), '3'],
          [t('field.algorithm'), String(algorithm), ALGORITHM],
          [t('field.publicKey'), publicKey],
          [t('field.record'), `${zone}. IN DNSKEY ${flags} 3 ${algorithm} ${publicKey}`],
        ]
  return (
    <section className={classes.key} aria-label={t('keyNamed', { tag })}>
      <div className={classes.keyHead}>
        <span className={classes.keyTag}>{t('keyNamed', { tag })}</span>
        <Pill tone={atParent ? 'ok' : 'warn'}>{t(atParent ? 'atParent' : 'notAtParent')}</Pill>
      </div>
      {open && <p className={classes.text}>{t('registrar')}</p>}
      <SegmentedControl
        aria-label={t('asksFor')}
        value={asked}
        onChange={(next) => setAsked(next === 'key' ? 'key' : 'ds')}
        data={[
          { value: 'ds', label: t('asksDs') },
          { value: 'key', label: t('asksKey') },
        ]}
        style={{ justifySelf: 'start' }}
      />
      <dl className={classes.fields}>
        {rows.map(([label, value, meaning]) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>
              <code>{value}</code>
              {meaning !== undefined && <span className={classes.quiet}>{meaning}</span>}
              <Copy value={value} name={label} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes.quiet}>{t(`hint.${asked}`)}</p>
    </section>
  )
}
