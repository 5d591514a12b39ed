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
            return entry("jwt_vp_json", path, .jwt, root + ".verifiableCredential[\(index)]")
        default: return PresentationSubmission.Entry(descriptor: item.query, format: format.text, path: path)
        }
    }

    private func entry(
        _ format: String,
        _ path: String,
        _ inner: CredentialFormat,
        _ innerPath: String
    ) -> PresentationSubmission.Entry {
        PresentationSubmission.Entry(
            descriptor: item.query,
            format: format,
            path: path,
            nested: [PresentationSubmission.Place(format: inner.text, path: innerPath)]
        )
    }
}
