# Stet with every platform. docs/deploy.md, "In a container", says how to run it.
FROM python:3.11-slim AS build
COPY . /source
WORKDIR /source
RUN pip wheel --no-deps --wheel-dir /wheels --build-constraint constraints.txt . \
 && python -m venv /opt/stet \
 && /opt/stet/bin/pip install --no-cache-dir --constraint constraints.txt \
    "$(ls /wheels/*.whl)[slack,discord,page,mcp,postgres,opensearch]"

FROM python:3.11-slim
COPY --from=build /opt/stet /opt/stet
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/stet stet
# archive, state and caches are in the home directory; /healthz is for the check below alone
ENV PATH=/opt/stet/bin:$PATH HOME=/var/lib/stet \
    STET_HEALTH=127.0.0.1:8071 STET_HOST=0.0.0.0
USER stet
WORKDIR /var/lib/stet
VOLUME /var/lib/stet
EXPOSE 8070 8072
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8071/healthz', timeout=4)"]
ENTRYPOINT ["stet"]
CMD ["run"]
