import TestSupport

/// The action for the vectors of one form.
struct MdocVectorRunner: Sendable {
    /// The kinds of action for a vector.
    enum Action: Sendable {
        /// It is checked by this.
        case check(@Sendable (MdocVector, MdocVectorContext) async throws -> Void)
        /// It belongs elsewhere.
        case passOver(String)
    }

    /// Indicates whether a vector has the form.
    let fits: @Sendable (MdocVector) -> Bool
    /// The action for the vector.
    let action: Action

    private static func check(
        _ fits: @escaping @Sendable (MdocVector) -> Bool,
        _ check: @escaping @Sendable (MdocVector, MdocVectorContext) async throws -> Void
    ) -> MdocVectorRunner {
        MdocVectorRunner(fits: fits, action: .check(check))
    }

    private static func passOver(
        _ fits: @escaping @Sendable (MdocVector) -> Bool,
        _ reason: String
    ) -> MdocVectorRunner {
        MdocVectorRunner(fits: fits, action: .passOver(reason))
    }

    /// Returns `true` if the bytes of `hex` start with some others.
    private static func starts(_ prefix: [UInt8]) -> @Sendable (MdocVector) -> Bool {
        { $0["hex"]?.hex?.starts(with: prefix) ?? false }
    }

    /// The runners by form; the first that fits takes a vector.
    static let all: [MdocVectorRunner] = [
        .check({ $0.has("hex", "dsCertificate", "signature") }, MdocVectorChecks.issuerAuth),
        .check({ $0.has("hex") && $0["expected"]?["docRequests"] != nil }, MdocVectorChecks.request),
        .check({ $0.has("hex", "readerCertificate") }, MdocVectorChecks.readerAuth),
        .check({ $0.has("readerAuthenticationBytes", "sigStructure") }, MdocVectorChecks.readerAuthentication),
        .check({ $0.has("hex", "qrText") }, MdocVectorChecks.qrEngagement),
        .check({ $0.has("hex", "deviceEngagement") }, MdocVectorChecks.nfcEngagement),
        .check({ $0.has("hex", "sha256") }, MdocVectorChecks.transcript),
        .check({ $0.has("hex", "plaintext") }, MdocVectorChecks.sessionMessage),
        .check({ $0.has("hex", "decoded") }, MdocVectorChecks.dataElement),
        .check({ $0.has("hex") && $0["expected"]?["items"] != nil }, MdocVectorChecks.response),
        .check({ $0.has("hex") && $0["expected"]?["status"] != nil }, MdocVectorChecks.sessionStatus),
        .check({ $0.has("mutations") }, MdocVectorChecks.mutations),
        .check({ $0.has("cases") && $0.fields["cases"]?.array?.first?["answers"] != nil }, MdocVectorChecks.ageAnswers),
        .check({ $0.has("certificate") }, MdocVectorChecks.certificate),
        .check({ $0.has("curve", "x", "y", "d") }, MdocVectorChecks.keyPair),
        .check({ $0.has("ephemeralDeviceKey", "ephemeralReaderKey") }, MdocVectorChecks.keyPairs),
        .check({ $0.has("zab", "skReader", "skDevice") }, MdocVectorChecks.sessionKeys),
        .check({ $0.has("eMacKeyZab", "macStructure") }, MdocVectorChecks.deviceMac),
        .check({ $0.has("mdocGeneratedNonce", "handover") }, MdocVectorChecks.draftHandover),
        .check({ $0.has("handoverInfo", "handover") }, MdocVectorChecks.handover),
        .check(starts([0x84, 0x6a] + Array("Signature1".utf8)), MdocVectorChecks.sigStructure),
        .check(starts([0xa1, 0x69] + Array("deviceMac".utf8)), MdocVectorChecks.deviceAuth),
        .check(starts([0x91]), MdocVectorChecks.nfcRequest),
        .check({ $0.has("client_id", "response_uri") }, MdocVectorChecks.requestParameters),
        .passOver(
            { $0.has("jwt", "ephemeralReaderKeyJwk") },
            "a signed request object is OpenID4VP's; its key is used"
        ),
        .passOver({ $0.has("jwe") }, "an encrypted authorization response is OpenID4VP's; its content has a vector"),
        .passOver({ $0.has("kemId") }, "HPKE is CryptoCore's"),
        .check({ $0.has("bits", "lst") }, MdocVectorChecks.statusListEncoding),
        .check({ $0["claims"]?["65535"] != nil }, MdocVectorChecks.statusReference),
        .check({ $0.has("claims") }, MdocVectorChecks.statusListToken),
        .check({ $0.has("jwk") }, MdocVectorChecks.jwk),
    ]
}
