extension FuzzTarget {
    /// Every target, layer by layer.
    package static let all: [FuzzTarget] =
        cbor + json + keys + certificates + cose + jose + mdoc + mdocTrust + mdocNFC + mdocBLE + mdocSessions
        + mdocOnline + idemixCore + transport + statusList + sdJWT + dids
}
