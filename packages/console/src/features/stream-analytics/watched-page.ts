/** The script that viewers share by, and where they meet. */
export type PeerTag = { address: string; script: string; integrity: string }

/** A plain page with a player that tells of its views; any hls.js will do, and Safari's own. */
export function watchedPage({
  address,
  script,
  integrity,
  manifestUrl,
  isLive,
  peers,
}: PeerTag & { manifestUrl: string; isLive: boolean; peers?: PeerTag | undefined }): string {
  const options = [
    'cmcd: views.cmcd',
    isLive ? 'maxLiveSyncPlaybackRate: 1.5' : 'startPosition: 0',
    ...(peers ? ['...peers.config'] : []),
  ]
  // Who blocks the script gets the film all the same.
  const sharing = peers
    ? `
    const peers = window.peerShare ? peerShare('${peers.address}', Hls) : { config: {}, share() {} }`
    : ''
  return `<video id="video" controls playsinline${isLive ? ' muted' : ''}></video>
<script src="/hls.min.js"></script><!-- of the package hls.js, put beside your page -->
${scriptTag({ script, integrity })}${peers ? `\n${scriptTag(peers)}` : ''}
<script>
  const video = document.getElementById('video')
  const views = viewWatch('${address}')
  if (Hls.isSupported()) {${sharing}
    const hls = new Hls({ ${options.join(', ')} })
    hls.loadSource('${manifestUrl}')
    hls.attachMedia(video)
    views.watch(video, hls)${peers ? '\n    peers.share(video, hls)' : ''}
  } else {
    video.src = '${manifestUrl}'
    views.watch(video)
  }
</script>`
}

const scriptTag = ({ script, integrity }: Pick<PeerTag, 'script' | 'integrity'>): string =>
  `<script src="${script}" integrity="${integrity}" crossorigin="anonymous"></script>`
