import OID4VPMessages

/// The place of a credential in a response to a presentation definition.
struct PresentationPlace {
    let item: PresentationItem
    /// The number of the presentation.
    let part: Int
    /// The number of the credential in the presentation.
    let index: Int
    /// Indicates that a token has the members of the presentation at its top, and not in `vp`.
    let isEnveloped: Bool

    init(_ item: PresentationItem, part: Int, index: Int, isEnveloped: Bool) {
        self.item = item
        self.part = part
        self.index = index
        self.isEnveloped = isEnveloped
    }

    /// The entry of the submission.
    ///
    /// - Parameters:
    ///   - formats: The formats that the verifier takes; empty for any.
    ///   - isOnly: Pass `true` if the response has one presentation, which then stands alone.
    /// - Throws: `OID4VPError` with code `invalidSelection` for a credential of another format.
    func entry(_ formats: [CredentialFormat], isOnly: Bool) throws(OID4VPError) -> PresentationSubmission.Entry {
        let isTaken = formats.isEmpty || formats.contains(item.format)
        // The two names of SD-JWT VC stand for the same format, and that of a presentation for the credentials in it.
        let format = isTaken ? item.format : formats.first { $0.credential == item.format.credential }
        guard let format else {
            throw OID4VPError(.invalidSelection, "the descriptor takes other formats", path: [item.query.text])
        }
        let path = isOnly ? "$" : "$[\(part)]"
        switch item.format {
        case .linkedData: return entry("ldp_vp", path, .linkedData, "$.verifiableCredential[\(index)]")
        case .jwt:
            let root = isEnveloped ? "$" : "$.vp"
            let (outer, inner) = Self.tokenFormats(among: formats)
            return entry(outer, path, inner, root + ".verifiableCredential[\(index)]")
        default: return PresentationSubmission.Entry(descriptor: item.query, format: format.text, path: path)
        }
    }

    /// The names of the formats of a token and of the credential in it: those that the definition has, the older ones of the
    /// JWT VC presentation profile among them.
    private static func tokenFormats(
        among formats: [CredentialFormat]
    ) -> (envelope: CredentialFormat, credential: CredentialFormat) {
        let own = formats.filter { $0.credential == .jwt }
        let isOlder = !own.isEmpty && own.allSatisfy { ["jwt_vp", "jwt_vc"].contains($0) }
        return (
            own.first(where: \.isEnvelope) ?? (isOlder ? "jwt_vp" : "jwt_vp_json"),
            own.first { !$0.isEnvelope } ?? (isOlder ? "jwt_vc" : .jwt)
        )
    }

    private func entry(
        _ format: CredentialFormat,
        _ path: String,
        _ inner: CredentialFormat,
        _ innerPath: String
    ) -> PresentationSubmission.Entry {
        PresentationSubmission.Entry(
            descriptor: item.query,
            format: format.text,
            path: path,
            nested: [PresentationSubmission.Place(format: inner.text, path: innerPath)]
        )
    }
}
