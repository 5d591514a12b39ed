import IRMAMessages
import IdemixCore

extension FuzzTarget {
    /// Messages, links and schemes of the IRMA protocol.
    package static let irma: [FuzzTarget] = [
        message("irma-requestor-message", RequestorMessage.self),
        message("irma-request", SessionRequest.self),
        message("irma-legacy-request", LegacySessionRequest.self),
        message("irma-client-request", ClientSessionRequest.self),
        message("irma-disclosure", DisclosureResponse.self),
        message("irma-commitments", IssuanceCommitments.self),
        message("irma-signed-message", SignedMessage.self),
        message("irma-result", SessionResult.self),
        message("irma-timestamp", TimestampResponse.self),
        message("irma-keyshare-commitments", KeyshareCommitments.self),
        FuzzTarget(name: "irma-server-response") { input in
            let response = try ServerSessionResponse(decoding: input)
            let again = try ServerSessionResponse(json: response.json())
            require(try again.json() == response.json(), "an answer changes when it is written and read")
            _ = try response.json(for: .v2_6)
        },
        FuzzTarget(name: "irma-legacy-conversion") { input in
            let request = try LegacyRequestConverter.request(from: LegacySessionRequest(decoding: input))
            try request.validateStructure()
            let again = try LegacyRequestConverter.request(from: LegacyRequestConverter.legacy(from: request))
            require(again.disclose == request.disclose, "a request changes when it is converted back and forth")
        },
        FuzzTarget(name: "irma-link") { input in
            let text = String(decoding: input, as: UTF8.self)
            let pointer = try SessionPointer(scanned: text)
            for form in SessionLink.Form.allCases {
                let link = try SessionLink(pointer, form: form).text(at: FuzzKeys.time)
                guard link.utf8.count <= SessionLink.maximumLength else { continue }
                require(try SessionPointer(scanned: link) == pointer, "a pointer changes when it is written and read")
            }
        },
        FuzzTarget(name: "irma-scheme-index") { input in
            let index = try SchemeIndex(decoding: input, of: "demo")
            for path in index.digests.keys {
                require(try SchemePath(checking: path.text) == path, "a path is not one that is allowed")
                require(!path.parts.contains("..") && !path.text.hasPrefix("/"), "a path leaves the folder")
            }
        },
        FuzzTarget(name: "irma-description") { input in
            if let scheme = try? SchemeDescription(xml: input) {
                require(scheme.id.isWellFormed, "a scheme without a name")
            } else if let issuer = try? IssuerDescription(xml: input) {
                require(issuer.id.isWellFormed, "an issuer without a name")
            } else {
                let type = try CredentialTypeDescription(xml: input)
                require(type.id.isWellFormed, "a credential type without a name")
                _ = try type.proofType(keyshareServer: nil)
            }
        },
        FuzzTarget(name: "irma-revocation") { input in
            let error = RemoteError(revocationBody: input, status: 500)
            require(error.status != nil || error.name != nil, "an error says nothing")
            if let record = try? IssuanceRecord(decodingCBOR: input) {
                require(try IssuanceRecord(decodingCBOR: record.cborEncoded()) == record, "a record changes")
            }
            let updates = try RevocationUpdates(decodingCBOR: input)
            require(try RevocationUpdates(decodingCBOR: updates.cborEncoded()) == updates, "updates change")
        },
    ]

    /// A target for a message, which has to be the same after it is written and read again.
    private static func message<Message: IRMAMessage & Equatable>(
        _ name: String,
        _ type: Message.Type
    ) -> FuzzTarget {
        FuzzTarget(name: name) { input in
            let message = try Message(decoding: input)
            require(
                try Message(decoding: message.encoded()) == message,
                "a message changes when it is written and read"
            )
        }
    }
}
