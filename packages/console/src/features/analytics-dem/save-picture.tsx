import { Button } from '@mantine/core'
import { IconPhotoDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { usePartner } from '../../shell/partner.ts'
import type { PictureInput } from '../../ui/charts/chart-picture.ts'
import { timeLabels } from '../../ui/charts/time-labels.ts'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'
import { downloadBlob } from './csv.ts'

type SavePictureProps = {
  chart: Pick<PictureInput, 'lines' | 'marks' | 'span' | 'look' | 'scale'> & { name: string }
  formatAxis: (value: number) => string
  fileName: string
  /** Of what: the site or the domain. */
  about: string
}

/** Saves the chart as a picture that says what it shows, of which time, and whose it is. */
export function SavePicture({ chart, formatAxis, fileName, about }: SavePictureProps) {
  const { t } = useTranslation('analytics-dem')
  const format = useFormat()
  const partner = usePartner()
  const reportFailure = useReportFailure()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { chartPicture } = await import('../../ui/charts/chart-picture.ts')
      const { name: title, span } = chart
      const blob = await chartPicture({
        ...chart,
        title,
        about: t('picture.about', { about, from: format.dateTime(span.from), to: format.dateTime(span.to) }),
        brand: partner?.companyName ?? '',
        formatAxis,
        formatTime: timeLabels(format, span).axis,
      })
      downloadBlob(fileName, blob)
    } catch (error) {
      reportFailure('picture', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      leftSection={<IconPhotoDown size={14} stroke={1.65} />}
      onClick={() => void save()}
    >
      {t('picture.save')}
    </Button>
  )
}
