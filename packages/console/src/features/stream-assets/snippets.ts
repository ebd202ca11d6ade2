const page = (body: string) => body.trim()

/** How a page of the owner's plays a video, in the ways that need nothing of ours but its address. */
export const embedSnippets = (manifestUrl: string): { key: 'hls' | 'react'; code: string }[] => [
  {
    key: 'hls',
    code: page(`
<video id="video" controls playsinline></video>
<script src="/hls.min.js"></script><!-- of the package hls.js, put beside your page -->
<script>
  const video = document.getElementById('video')
  if (Hls.isSupported()) {
    const hls = new Hls({ startPosition: 0 })
    hls.loadSource('${manifestUrl}')
    hls.attachMedia(video)
  } else {
    video.src = '${manifestUrl}'
  }
</script>`),
  },
  {
    key: 'react',
    code: page(`
import Hls from 'hls.js'
import { useEffect, useRef } from 'react'

export function Video() {
  const video = useRef(null)
  useEffect(() => {
    if (!Hls.isSupported()) return void (video.current.src = '${manifestUrl}')
    const hls = new Hls({ startPosition: 0 })
    hls.loadSource('${manifestUrl}')
    hls.attachMedia(video.current)
    return () => hls.destroy()
  }, [])
  return <video ref={video} controls playsInline />
}`),
  },
]
