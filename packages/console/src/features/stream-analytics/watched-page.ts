/** A plain page with a player that tells of its views; any hls.js will do, and Safari's own. */
export const watchedPage = ({
  address,
  script,
  integrity,
  manifestUrl,
  isLive,
}: {
  address: string
  script: string
  integrity: string
  manifestUrl: string
  isLive: boolean
}): string =>
  `<video id="video" controls playsinline${isLive ? ' muted' : ''}></video>
<script src="/hls.min.js"></script><!-- of the package hls.js, put beside your page -->
<script src="${script}" integrity="${integrity}" crossorigin="anonymous"></script>
<script>
  const video = document.getElementById('video')
  const views = viewWatch('${address}')
  if (Hls.isSupported()) {
    const hls = new Hls({ cmcd: views.cmcd, ${isLive ? 'maxLiveSyncPlaybackRate: 1.5' : 'startPosition: 0'} })
    hls.loadSource('${manifestUrl}')
    hls.attachMedia(video)
    views.watch(video, hls)
  } else {
    video.src = '${manifestUrl}'
    views.watch(video)
  }
</script>`
