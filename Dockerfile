# Two images of one program:
#
#   docker build --target server    -t quire .
#   docker build --target converter -t quire-converter .
#
# Both run as user 10001 and write to /data and /tmp only, so their root file system may be read-only. The build puts the
# npm packages into the program and the pages; only those that it cannot put there are in the images as packages. The
# embedded PostgreSQL is not there: they need DATABASE_URL.

ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts

FROM packages AS build
COPY . .
RUN LIBREOFFICE=off node scripts/setup.mjs start && node scripts/image-packages.mjs /image

FROM ${NODE_IMAGE} AS base
# tini passes signals on and reaps what the processes of conversions leave. Every folder that a volume is mounted on is made
# here: a new volume takes its owner from the image.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates tini \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 quire \
  && useradd --uid 10001 --gid quire --no-create-home --home-dir /tmp --shell /usr/sbin/nologin quire \
  && install -d -o quire -g quire /data /data/blobs \
  && ln -s /app/bin/quire.js /usr/local/bin/quire
WORKDIR /app
COPY --from=build /image/node_modules ./node_modules
COPY package.json LICENSE ./
COPY bin ./bin
COPY db/migrations ./db/migrations
COPY load/scenarios ./load/scenarios
COPY model/calculation/engine/calculation.wasm model/calculation/engine/THIRD-PARTY-NOTICES.md ./model/calculation/engine/
COPY --from=build /app/dist/program ./dist/program
COPY --from=build /app/dist/web ./dist/web
COPY --from=build /app/dist/embed ./dist/embed
COPY --from=build /app/dist/report ./dist/report
# With its four threads for garbage, V8 would take all cores of a small machine from the event loop and the database.
ENV NODE_ENV=production \
    NODE_OPTIONS=--v8-pool-size=1 \
    DATA_DIR=/data \
    LOG_FORMAT=json
USER 10001:10001
VOLUME /data
ENTRYPOINT ["/usr/bin/tini", "--"]

FROM base AS server
ENV HOST=0.0.0.0 \
    PORT=8000 \
    CONVERTER_PROCESSES=0
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=8s --start-period=60s --retries=3 \
  CMD node bin/healthcheck.js "http://127.0.0.1:${PORT}/healthcheck"
CMD ["node", "bin/quire.js", "serve"]

FROM base AS converter
# LibreOffice reads and writes what is not OOXML, and makes PDFs. It has to be the complete packages: those whose names
# end in -nogui crash in processes that do more than one conversion. An empty value leaves it out; the fonts are for all
# engines.
ARG OFFICE_PACKAGES="libreoffice-writer libreoffice-calc libreoffice-impress libreoffice-draw python3-uno"
ARG FONT_PACKAGES="fontconfig fonts-dejavu fonts-liberation2 fonts-crosextra-carlito fonts-crosextra-caladea fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji"
USER root
RUN apt-get update \
  && apt-get install -y --no-install-recommends ${FONT_PACKAGES} ${OFFICE_PACKAGES} \
  && rm -rf /var/lib/apt/lists/* \
  && fc-cache -f
COPY converter/engines/libreoffice/bridge ./converter/engines/libreoffice/bridge
USER 10001:10001
ENV CONVERTER_PORT=8001
EXPOSE 8001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=8s --start-period=60s --retries=3 \
  CMD node bin/healthcheck.js "http://127.0.0.1:${CONVERTER_PORT}/healthcheck"
CMD ["node", "bin/quire.js", "worker"]
