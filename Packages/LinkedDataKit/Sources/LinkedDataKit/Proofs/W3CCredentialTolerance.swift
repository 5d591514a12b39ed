import VerificationCore

/// A deviation of credentials that is let pass by name, and reported in the verification.
///
/// Most are forms of credentials with linked-data proofs that leave open what readers of the JSON find. A proof over the
/// graph covers statements. A holder can write them down in another way: under another name, in another form, in another
/// place. So a credential must have the form that compaction with its contexts gives it (Verifiable
/// Credentials Data Model 2.0, section 1.3), and must describe each node in one place. A proof of the issuer over the JSON
/// itself, such as that of a JCS suite, covers the form.
///
/// Signing refuses what verification refuses. Read such credentials by
/// ``VerifiedW3CCredential/values(ofProperties:using:options:)``, which finds a claim wherever and however it is written.
public struct W3CCredentialTolerance: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance's name.
    public let description: String

    private init(_ description: String) {
        self.description = description
    }

    /// Names, values and nesting that compaction would write otherwise: an IRI or keyword for which the contexts have a
    /// term, a value object that says no more than its value, a needless `@set` or `@nest`, the label of a blank node, a value that
    /// stands twice.
    public static let otherForms = W3CCredentialTolerance("otherForms")

    /// A text in place of the number or truth value that stands for the same literal, or the other way round: `"5"` for `5`
    /// where a term has the datatype `xsd:integer`.
    ///
    /// ``otherForms`` covers it, too. A holder can write either where the issuer wrote the other; readers of the JSON compare
    /// both.
    public static let literalForms = W3CCredentialTolerance("literalForms")

    /// A node that several objects name, and that not each of them describes in full.
    ///
    /// A subject may be named anywhere if it is described as the subject, a status entry if it is described as such. An
    /// issuer may be described anywhere, which is reported as this deviation.
    public static let sharedNodes = W3CCredentialTolerance("sharedNodes")

    /// A claim `nbf` or `exp` of a token of the data model 1.1 that differs from `issuanceDate` or `expirationDate`.
    ///
    /// The claim takes the place of the date (section 6.3.1), in ``VerifiedW3CCredential/content`` as well.
    public static let claimTimes = W3CCredentialTolerance("claimTimes")

    /// Names that a document defines itself and that no signature of its issuer covers, where a verifier decides by names, as
    /// that of OpenID4VP does: a context object in the document with a term that the document uses, or an IRI for which no context
    /// has a term.
    ///
    /// A holder can exchange such names, and with them the values of claims. Prefer to list the contexts of your issuers in
    /// ``W3CCredentialPolicy/contexts``. With the tolerance, read claims only by
    /// ``VerifiedW3CCredential/values(ofProperties:using:options:)``. ``W3CCredentialVerifier`` by itself takes and reports such
    /// names without it.
    public static let ownContext = W3CCredentialTolerance("ownContext")
}

extension Deviation {
    /// The deviation of a document that leaves open its names.
    static let ownContext = Deviation(
        W3CCredentialTolerance.ownContext.description,
        at: ["@context"],
        "the signature does not cover the names it defines"
    )
}

extension Set<W3CCredentialTolerance> {
    /// Refuses names that the document defines itself, unless they are tolerated.
    func checkOwnContext() throws(CheckFault) {
        guard contains(.ownContext) else {
            throw .failed(
                .unexpectedContext,
                "the document defines names itself, and the signature does not cover them (tolerance ownContext)",
                path: ["@context"]
            )
        }
    }

    /// The deviations of a credential whose JSON no signature covers.
    ///
    /// - Parameters:
    ///   - node: The credential.
    ///   - forms: The forms in which compaction would not have written it.
    ///   - issuer: The identifier of the issuer, or nil.
    /// - Throws: ``LinkedDataError/Code/claimMismatch`` for one that is not tolerated.
    func deviations(
        of node: ExpandedNode,
        written forms: [OtherForm],
        issuedBy issuer: ExactText?
    ) throws(LinkedDataError) -> [Deviation] {
        let findings = node.statementPlaces.findings
        for case .keyword(let keyword) in findings {
            throw LinkedDataError(.claimMismatch, "a node is described in a second place", path: [keyword])
        }
        var deviations = try forms.map { form throws(LinkedDataError) in
            let isNamed = form.isLiteralForm && !contains(.otherForms)
            return try deviation(isNamed ? .literalForms : .otherForms, at: form.path, form.message)
        }
        for finding in findings {
            switch finding {
            case .keyword: break
            case .property(let property):
                deviations.append(try deviation(.otherForms, at: [property], "JSON-LD has a form for it"))
            case .repeatedValue(let property):
                deviations.append(try deviation(.otherForms, at: [property], "duplicate value"))
            case .sharedNode(let name):
                let message = "\(name) is described in a second place"
                if name == issuer, name != node.id {
                    deviations.append(Deviation(W3CCredentialTolerance.sharedNodes.description, at: ["@id"], message))
                } else {
                    deviations.append(try deviation(.sharedNodes, at: ["@id"], message))
                }
            }
        }
        return deviations
    }

    /// The deviation that a tolerance lets pass.
    ///
    /// - Throws: ``LinkedDataError/Code/claimMismatch`` for one that is not tolerated.
    private func deviation(
        _ tolerance: W3CCredentialTolerance,
        at path: [String],
        _ message: String
    ) throws(LinkedDataError) -> Deviation {
        guard contains(tolerance) else {
            throw LinkedDataError(
                .claimMismatch,
                "\(message), and the signature does not cover that (tolerance \(tolerance))",
                path: path
            )
        }
        return Deviation(tolerance.description, at: path, message)
    }
}
