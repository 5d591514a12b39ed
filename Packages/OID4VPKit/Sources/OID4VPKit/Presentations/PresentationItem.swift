package import LinkedDataKit
package import MdocKit
package import OID4VPMessages
package import SDJWTKit

/// One answer to one query: a credential that has been reduced to what leaves the wallet.
package struct PresentationItem: Sendable {
    /// The credential, reduced to what is disclosed.
    package enum Content: Sendable {
        /// An mdoc, and the elements that are disclosed.
        case mdoc(IssuerSigned, Set<DataElementReference>)
        /// An SD-JWT with the Disclosures that are sent.
        case sdJWT(SDJWT)
        /// A W3C credential, with a derived proof in place of a base proof.
        case w3c(VerifiableCredential)
    }

    /// The query.
    package let query: QueryID
    /// The name of the credential in the wallet.
    package let credential: CredentialName
    /// The format of the credential.
    package let format: CredentialFormat
    /// The credential.
    package let content: Content

    /// Describes an answer.
    package init(query: QueryID, credential: CredentialName, format: CredentialFormat, content: Content) {
        self.query = query
        self.credential = credential
        self.format = format
        self.content = content
    }

    /// Reduces the credential of a plan's entry to the claims of its match.
    ///
    /// - Parameter shared: The matches of the credential that one presentation answers: a W3C credential discloses the claims
    ///   of all.
    init(
        _ entry: PresentationPlan.Entry,
        _ credential: PresentableCredential,
        sharedBy shared: [QueryMatch]
    ) throws(OID4VPError) {
        query = entry.query
        self.credential = entry.match.credential
        format = credential.queryable.format
        switch credential {
        case .mdoc(let mdoc):
            content = .mdoc(mdoc.stored.issuerSigned, mdoc.elements(at: entry.match.disclosedPaths))
        case .sdJWT(let sdJWT):
            content = .sdJWT(try OID4VPError.presenting(format) { try sdJWT.presentation(of: entry.match) })
        case .w3c(let w3c):
            content = .w3c(try OID4VPError.presenting(format) { try w3c.presentation(of: shared) })
        }
    }
}

extension OID4VPError {
    /// Runs a step of building a presentation, whose errors are those of the format's layer.
    static func presenting<Value>(
        _ format: CredentialFormat,
        _ code: Code = .presentationFailed,
        _ body: () throws -> Value
    ) throws(OID4VPError) -> Value {
        do {
            return try body()
        } catch let error as OID4VPError {
            throw error
        } catch {
            let message = code == .signingFailed ? "it is no signature by the holder's key" : "it cannot be built"
            throw OID4VPError(code, message, path: [format.text], cause: error)
        }
    }
}
