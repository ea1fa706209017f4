-- What /metrics asks at every scrape. Owner: src/platform/jobs

CREATE INDEX job_attempts_ended ON job_attempts(ended_at) WHERE ended_at IS NOT NULL;
