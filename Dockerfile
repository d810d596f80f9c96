# The page in a container. `docker build -t courtside .`; compose.yaml runs it with PostgreSQL.
FROM python:3.11 AS build
WORKDIR /courtside
COPY . .
RUN pip install --no-cache-dir build
RUN python -m build --outdir /dist

FROM python:3.11-slim
COPY constraints.txt /tmp/
# The wheel, and the source archive that the pages offer.
COPY --from=build /dist /opt/courtside
RUN pip install --no-cache-dir --constraint /tmp/constraints.txt "$(echo /opt/courtside/*.whl)[club,heic,postgresql]" \
    && mv /opt/courtside/*.tar.gz /opt/courtside/courtside-source.tar.gz \
    && rm /opt/courtside/*.whl \
    && useradd --create-home --groups video courtside \
    && install --directory --owner courtside /data
ENV COURTSIDE_SOURCE=/opt/courtside/courtside-source.tar.gz PYTHONUNBUFFERED=1 XDG_DATA_HOME=/data
USER courtside
VOLUME /data
EXPOSE 8765
ENTRYPOINT ["courtside"]
CMD ["play", "--host", "0.0.0.0", "--source", "none"]
