import JOSEKit
public import JSONKit
import MdocKit
public import OID4VPMessages
import SDJWTKit

extension PresentationTraits {
    /// Reads the properties of a presentation in a `vp_token`, which is not verified here.
    ///
    /// A presentation that cannot be read has the properties that every rule for its format refuses.
    public init(_ presentation: JSONValue, format: CredentialFormat, requiresHolderBinding: Bool = true) {
        let text = presentation.stringValue ?? ""
        switch format.current {
        case .sdJWT:
            if let token = try? SDJWT(compact: text) {
                self.init(token, format: format, requiresHolderBinding: requiresHolderBinding)
            } else {
                self.init(
                    format: format,
                    kind: .sdJWT(holderKeyIsJWK: false, hasKeyBinding: false, certificates: []),
                    requiresHolderBinding: requiresHolderBinding
                )
            }
        case .mdoc:
            let response = try? DeviceResponse(decoding: Base64URL.decode(text))
            self.init(format: format, kind: .mdoc(response), requiresHolderBinding: requiresHolderBinding)
        default: self.init(format: format, kind: .other, requiresHolderBinding: requiresHolderBinding)
        }
    }
}

extension PresentationTraits.Kind {
    /// The properties of a response with mdocs; nil for one that cannot be read.
    fileprivate static func mdoc(_ response: DeviceResponse?) -> PresentationTraits.Kind {
        let documents = response?.documents ?? []
        let areSigned = documents.allSatisfy { document in
            if case .deviceSignature = document.deviceSigned.deviceAuth { true } else { false }
        }
        return .mdoc(documents: documents.count, areSigned: areSigned)
    }
}

extension VPToken {
    /// The presentations with the queries that they answer, and their places.
    var presentationsByQuery: [(path: [String], query: QueryID, presentations: [JSONValue])] {
        switch self {
        case .queries(let answers): answers.map { (["vp_token", $0.query.text], $0.query, $0.presentations) }
        case .definition(_, let submission):
            submission.entries.map { entry in
                (["vp_token"], entry.descriptor, presentation(at: entry).map { [$0] } ?? [])
            }
        }
    }
}

extension PresentationRequest {
    /// The format of the presentation for a query, and whether it proves possession of the holder's key; nil for an unknown
    /// query, and for a descriptor of several formats.
    func format(of query: QueryID) -> (format: CredentialFormat, isBound: Bool)? {
        if let credential = self.query.dcql?[query] { return (credential.format, credential.requiresHolderBinding) }
        guard let definition = self.query.definition,
            let descriptor = definition.descriptors.first(where: { $0.id == query })
        else { return nil }
        let formats = descriptor.formats.isEmpty ? definition.formats : descriptor.formats
        return formats.count == 1 ? (formats[0].format, true) : nil
    }
}
