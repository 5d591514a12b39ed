extension FuzzTarget {
    /// Every target, layer by layer.
    package static let all: [FuzzTarget] = parsers + verifiers

    /// The targets that parse.
    private static let parsers =
        cbor + json + keys + certificates + cose + jose + mdoc + mdocTrust + mdocNFC + mdocBLE + mdocSessions
        + mdocOnline + idemixCore + irma + transport + statusList + sdJWT + dids + linkedData
        + federation + oid4vp

    /// The targets that verify, match and answer, with scenes that a script changes.
    private static let verifiers =
        certificateVerification + coseVerification + joseVerification + statusVerification + sdJWTVerification
        + mdocVerification + mdocWallet + mdocTrustVerification + proximity + idemixVerification + httpAnswers
        + irmaEngines + oid4vpAuthentication + oid4vpTransactions
}
