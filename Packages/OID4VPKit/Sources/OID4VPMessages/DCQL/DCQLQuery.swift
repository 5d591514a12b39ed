public import JSONKit
public import SDJWTKit

/// A query in the Digital Credentials Query Language (OpenID4VP 1.0, section 6).
///
/// ```swift
/// let query = try DCQLQuery(json: parameter)
/// let result = query.evaluate(over: credentials, at: now)
/// ```
public struct DCQLQuery: Sendable {
    /// The queries for one kind of credential each.
    public let credentials: [CredentialQuery]
    /// The sets of queries of which one option each is to be answered; empty if every query must be answered.
    public let credentialSets: [CredentialSetQuery]
    /// The deviations from OpenID4VP 1.0 that tolerances let pass.
    public let deviations: [Deviation]

    /// Takes the parts of a query, which are checked as those of a received one.
    ///
    /// - Throws: ``OID4VPError/Code/invalidQuery``, ``OID4VPError/Code/limitExceeded``.
    public init(
        credentials: [CredentialQuery],
        credentialSets: [CredentialSetQuery] = [],
        limits: DCQLLimits = .default
    ) throws(OID4VPError) {
        self.init(credentials, credentialSets, deviations: [])
        // A query that this module makes is one that it reads.
        _ = try DCQLQuery(json: json, options: DCQLReadingOptions(limits: limits))
    }

    init(_ credentials: [CredentialQuery], _ credentialSets: [CredentialSetQuery], deviations: [Deviation]) {
        self.credentials = credentials
        self.credentialSets = credentialSets
        self.deviations = deviations
    }

    /// The query with this name, or nil.
    public subscript(id: QueryID) -> CredentialQuery? { credentials.first { $0.id == id } }
}

/// A query for one kind of credential (section 6.1).
public struct CredentialQuery: Sendable {
    /// The name.
    public var id: QueryID
    /// The format.
    public var format: CredentialFormat
    /// The demand on the type.
    public var type: CredentialTypeQuery
    /// Indicates that several credentials may answer.
    public var allowsMultiple: Bool
    /// Indicates that the presentation must prove possession of the holder's key.
    public var requiresHolderBinding: Bool
    /// The authorities of which one must vouch for the credential; empty for no such demand.
    public var trustedAuthorities: [TrustedAuthority]
    /// The claims; empty for those alone that cannot be withheld.
    public var claims: [ClaimQuery]
    /// The combinations of claims, by their names and in the verifier's order of preference; empty for all claims.
    public var claimSets: [[ExactText]]

    /// Describes a query.
    public init(
        id: QueryID,
        format: CredentialFormat,
        type: CredentialTypeQuery = .any,
        allowsMultiple: Bool = false,
        requiresHolderBinding: Bool = true,
        trustedAuthorities: [TrustedAuthority] = [],
        claims: [ClaimQuery] = [],
        claimSets: [[ExactText]] = []
    ) {
        self.id = id
        self.format = format
        self.type = type
        self.allowsMultiple = allowsMultiple
        self.requiresHolderBinding = requiresHolderBinding
        self.trustedAuthorities = trustedAuthorities
        self.claims = claims
        self.claimSets = claimSets
    }
}

/// The demand of `meta` on the type of a credential (appendix B).
public enum CredentialTypeQuery: Hashable, Sendable {
    /// No demand.
    case any
    /// One of several types of SD-JWT VC (`vct_values`).
    case vct([ExactText])
    /// A document type (`doctype_value`).
    case docType(ExactText)
    /// One of several combinations of expanded types of W3C credentials (`type_values`).
    case expandedTypes([[ExactText]])
}

/// An authority that vouches for credentials (section 6.1.1).
public struct TrustedAuthority: Hashable, Sendable {
    /// The kind of authority: `aki`, `etsi_tl`, `openid_federation` or another.
    public var type: ExactText
    /// The authorities, in a form that depends on the kind.
    public var values: [ExactText]

    /// The kind for key identifiers of certificates.
    public static let authorityKeyIdentifier: ExactText = "aki"

    /// Describes an authority.
    public init(type: ExactText, values: [ExactText]) {
        self.type = type
        self.values = values
    }
}

/// A query for one claim (section 6.3).
public struct ClaimQuery: Sendable {
    /// The name, which claim sets use.
    public var id: ExactText?
    /// The place of the claim.
    public var path: ClaimPath
    /// The values of which the claim must have one; empty for any: texts, integers and truth values.
    public var values: [JSONValue]
    /// The verifier's intent to keep the claim, for mdocs; nil if it says nothing.
    public var intentToRetain: Bool?

    /// Describes a query.
    public init(id: ExactText? = nil, path: ClaimPath, values: [JSONValue] = [], intentToRetain: Bool? = nil) {
        self.id = id
        self.path = path
        self.values = values
        self.intentToRetain = intentToRetain
    }
}

/// Options of queries of which one is to be answered (section 6.2).
public struct CredentialSetQuery: Hashable, Sendable {
    /// The options, in the verifier's order of preference: the queries that belong together.
    public var options: [[QueryID]]
    /// Indicates that nothing may be sent unless one of the options is answered.
    public var isRequired: Bool
    /// The purpose for the user, as drafts 22 to 28 have it.
    public var purpose: String?

    /// Describes a set.
    public init(options: [[QueryID]], isRequired: Bool = true, purpose: String? = nil) {
        self.options = options
        self.isRequired = isRequired
        self.purpose = purpose
    }
}
