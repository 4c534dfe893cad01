# The worker as an image. Checked in its structure by test/repo; not built where it was written.
# Debian, not Alpine: Temporal's native core needs glibc.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:22-bookworm-slim
# Certificates for TLS to a Temporal cluster and to a model; the slim image has none for native code.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production CASEWORKER_DATA=/data XDG_CACHE_HOME=/data/cache CASEWORKER_METRICS=0.0.0.0:9464
RUN mkdir /data && chown node:node /data
COPY --from=build --chown=node:node /app/package.json ./
COPY --from=build --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/dist ./dist
USER node
VOLUME /data
EXPOSE 9464
# The process itself gets SIGTERM, so that running calls end before it does: no npm and no shell between.
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["worker"]
