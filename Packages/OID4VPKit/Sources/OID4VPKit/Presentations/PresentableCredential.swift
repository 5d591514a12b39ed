public import JSONKit
@_spi(Layers) import LinkedDataKit
import MdocKit
public import OID4VPMessages
import SDJWTKit

/// A credential of the wallet that can be presented, of any format.
public enum PresentableCredential: Sendable {
    /// An mdoc.
    case mdoc(MdocCredential)
    /// An SD-JWT VC.
    case sdJWT(SDJWTCredential)
    /// A W3C credential with linked-data proofs, or as a token.
    case w3c(W3CCredential)

    /// The credential as queries see it.
    public var queryable: any QueryableCredential {
        switch self {
        case .mdoc(let credential): credential
        case .sdJWT(let credential): credential
        case .w3c(let credential): credential
        }
    }

    /// The name of the credential in the wallet.
    public var name: CredentialName { queryable.credentialName }

    /// The claims that leave the wallet with the presentation for a match, for the question to the holder.
    ///
    /// Beside the claims of the match these are the claims that the holder cannot withhold: those of an SD-JWT that its issuer
    /// did not make selectively disclosable, those of a W3C credential with a base proof that its issuer made mandatory or that
    /// every credential must have, and all of any other W3C credential.
    ///
    /// - Throws: `OID4VPError` with code `invalidSelection` for the match of another credential, `presentationFailed` for a
    ///   claim that the credential lacks.
    public func disclosedClaims(of match: QueryMatch) throws(OID4VPError) -> JSONObject {
        try disclosedClaims(of: match, sharedBy: [match])
    }

    /// The claims that leave the wallet with the presentation for a match.
    ///
    /// - Parameter matches: The matches that the presentation of a W3C credential answers.
    func disclosedClaims(of match: QueryMatch, sharedBy matches: [QueryMatch]) throws(OID4VPError) -> JSONObject {
        guard match.credential == name else {
            throw OID4VPError(.invalidSelection, "the match is that of another credential")
        }
        switch self {
        case .mdoc(let credential): return credential.claims(at: match.disclosedPaths)
        case .sdJWT(let credential):
            return try OID4VPError.presenting(credential.format) {
                try credential.presentation(of: match).unverifiedPayload().claims
            }
        case .w3c(let credential):
            return try OID4VPError.presenting(credential.format) {
                try credential.presentation(of: matches).unverifiedMembers()
            }
        }
    }
}

extension MdocCredential {
    /// The elements that some claims name, with their values.
    fileprivate func claims(at paths: [ClaimPath]) -> JSONObject {
        let elements = elements(at: paths)
        var claims = JSONObject()
        for (nameSpace, members) in self.claims {
            let disclosed = (members.objectValue ?? [:]).filter { identifier, _ in
                elements.contains(DataElementReference(NameSpace(nameSpace), DataElementIdentifier(identifier)))
            }
            if !disclosed.isEmpty { claims[nameSpace] = .object(JSONObject(disclosed)) }
        }
        return claims
    }
}

extension [PresentableCredential] {
    /// The credentials as queries see them.
    ///
    /// ```swift
    /// let result = query.evaluate(over: credentials.queryable, at: now)
    /// ```
    public var queryable: [any QueryableCredential] { map(\.queryable) }
}

extension PresentableCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The format and the types, without the claims.
    public var description: String {
        switch self {
        case .mdoc(let credential): credential.description
        case .sdJWT(let credential): credential.description
        case .w3c(let credential): credential.description
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
