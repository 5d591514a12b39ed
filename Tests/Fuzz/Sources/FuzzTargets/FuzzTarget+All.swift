extension FuzzTarget {
    /// Every target, layer by layer.
    package static let all: [FuzzTarget] = parsers + verifiers

    /// What reads.
    private static let parsers =
        cbor + json + keys + certificates + cose + jose + mdoc + mdocTrust + mdocNFC + mdocBLE + mdocSessions
        + mdocOnline + idemixCore + transport + statusList + sdJWT + dids

    /// What verifies, matches and answers, with scenes that a script changes.
    private static let verifiers =
        certificateVerification + coseVerification + joseVerification + statusVerification + sdJWTVerification
        + mdocVerification + mdocWallet + mdocTrustVerification + proximity + idemixVerification + httpAnswers
}
