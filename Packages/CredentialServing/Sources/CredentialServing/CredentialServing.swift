// Routes, events and sessions.
