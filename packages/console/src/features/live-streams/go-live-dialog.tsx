import { type LiveStream, liveStreams } from '@fairway/contract'
import { Button, Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../api/queries.ts'
import { change } from '../../api/use-change.ts'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { type PublishProblem, type PublishState, Publishing } from './publishing.ts'
import classes from './live-streams.module.css'

const SCREEN = 'screen'
const NONE = 'none'
const PICTURE = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } } as const

type DeviceProblem = 'insecure' | 'refused' | 'missing' | 'busy'

/** Sends camera or screen of this browser to the stream. It goes on while this is open. */
export function GoLiveDialog({
  opened,
  onClose,
  stream,
}: {
  opened: boolean
  onClose: () => void
  stream: LiveStream
}) {
  const { t } = useTranslation('live-streams')
  const report = useReportFailure()
  const queryClient = useQueryClient()
  const [camera, setCamera] = useState('')
  const [microphone, setMicrophone] = useState('')
  const { media, devices, problem: device } = useMedia(opened, camera, microphone)
  const [state, setState] = useState<PublishState | null>(null)
  const [problem, setProblem] = useState<PublishProblem | null>(null)
  const publishing = useRef<Publishing | null>(null)
  const isOn = state !== null && state !== 'over'
  const stop = () => {
    publishing.current?.stop()
    publishing.current = null
  }
  useEffect(() => stop, [])
  const start = () => {
    if (media === null) return
    setProblem(null)
    publishing.current = new Publishing({
      media,
      token: async () => {
        const { token } = await change(queryClient, liveStreams.routes.publish, { id: stream.id }).catch(
          (error: unknown) => {
            report('live-streams', error)
            throw error
          },
        )
        return token
      },
      isLive: async () => {
        const { input } = await queryClient.fetchQuery({
          ...read(liveStreams.routes.get, { id: stream.id }),
          staleTime: 0,
        })
        return input?.state === 'live' && !input.isTest
      },
      told: (now, why) => {
        setState(now)
        setProblem(why)
      },
    })
  }
  const close = () => {
    stop()
    setState(null)
    setProblem(null)
    onClose()
  }
  const isOtherThere = !isOn && stream.input?.state === 'live' && !stream.input.isTest
  return (
    <Dialog
      opened={opened}
      // A click beside it ends no broadcast.
      onClose={isOn ? () => {} : close}
      title={t('goLive.title', { name: stream.name })}
      size={560}
      footer={
        isOn ? (
          <Button color="red" onClick={stop}>
            {t('goLive.stop')}
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={close}>
              {t('goLive.close')}
            </Button>
            <Button onClick={start} disabled={media === null}>
              {t('goLive.start')}
            </Button>
          </>
        )
      }
    >
      <div className={classes.page}>
        <Preview media={media} label={t('goLive.preview')} />
        <Select
          label={t('goLive.picture')}
          value={camera}
          onChange={(value) => setCamera(value ?? '')}
          disabled={isOn}
          allowDeselect={false}
          data={[
            { value: '', label: t('goLive.usual') },
            ...named(devices, 'videoinput', t('goLive.camera')),
            { value: SCREEN, label: t('goLive.screen') },
          ]}
        />
        <Select
          label={t('goLive.sound')}
          value={microphone}
          onChange={(value) => setMicrophone(value ?? '')}
          disabled={isOn}
          allowDeselect={false}
          data={[
            { value: '', label: t('goLive.usual') },
            ...named(devices, 'audioinput', t('goLive.microphone')),
            { value: NONE, label: t('goLive.silent') },
          ]}
        />
        <div role="status">
          {device !== null && <Notice tone="bad">{t(`goLive.device.${device}`)}</Notice>}
          {isOtherThere && <Notice tone="warn">{t('goLive.other')}</Notice>}
          {isOn && <Notice tone="info">{t(`goLive.state.${state}`)}</Notice>}
          {problem !== null && <Notice tone="bad">{t(`goLive.problem.${problem}`)}</Notice>}
        </div>
      </div>
    </Dialog>
  )
}

function Preview({ media, label }: { media: MediaStream | null; label: string }) {
  const ref = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (ref.current) ref.current.srcObject = media
  }, [media])
  return <video ref={ref} className={classes.screen} aria-label={label} autoPlay muted playsInline />
}

/** Those that the browser names; it names none before they are allowed. */
const named = (devices: readonly MediaDeviceInfo[], kind: MediaDeviceKind, word: string) =>
  devices
    .filter((one) => one.kind === kind && one.deviceId !== '' && one.deviceId !== 'default')
    .map(({ deviceId, label }, at) => ({ value: deviceId, label: label === '' ? `${word} ${at + 1}` : label }))

/** Camera or screen, and microphone, for as long as they are chosen. */
function useMedia(isWanted: boolean, camera: string, microphone: string) {
  const [media, setMedia] = useState<MediaStream | null>(null)
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([])
  const [problem, setProblem] = useState<DeviceProblem | null>(null)
  useEffect(() => {
    if (!isWanted) return
    const own: { media: MediaStream | null; isOver: boolean } = { media: null, isOver: false }
    const release = (of: MediaStream | null) => {
      for (const track of of?.getTracks() ?? []) track.stop()
    }
    const open = async () => {
      // Only pages that came by TLS, or from this machine, have it.
      if (!window.isSecureContext || !('mediaDevices' in navigator)) return setProblem('insecure')
      try {
        const found = await openMedia(camera, microphone)
        if (own.isOver) return release(found)
        own.media = found
        setMedia(found)
        setProblem(null)
        setDevices(await navigator.mediaDevices.enumerateDevices())
      } catch (error) {
        if (!own.isOver) setProblem(problemOf(error))
      }
    }
    void open()
    return () => {
      own.isOver = true
      release(own.media)
      setMedia(null)
    }
  }, [isWanted, camera, microphone])
  return { media, devices, problem }
}

async function openMedia(camera: string, microphone: string): Promise<MediaStream> {
  const { mediaDevices } = navigator
  const exact = (deviceId: string) => (deviceId === '' ? {} : { deviceId: { exact: deviceId } })
  const audio = microphone === NONE ? false : exact(microphone)
  if (camera !== SCREEN) return mediaDevices.getUserMedia({ video: { ...PICTURE, ...exact(camera) }, audio })
  const screen = await mediaDevices.getDisplayMedia({ video: { frameRate: { ideal: 30 } } })
  if (audio === false) return screen
  try {
    const sound = await mediaDevices.getUserMedia({ audio })
    return new MediaStream([...screen.getVideoTracks(), ...sound.getAudioTracks()])
  } catch (error) {
    for (const track of screen.getTracks()) track.stop()
    throw error
  }
}

function problemOf(error: unknown): DeviceProblem {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'busy'
}
