/// The description of an issuer.
public struct IssuerDescription: Hashable, Sendable {
    /// The name of the issuer.
    public var id: IssuerIdentifier
    /// The name for people.
    public var name: TranslatedText
    /// The address of the issuer, or nil.
    public var contactAddress: String?
    /// The e-mail address of the issuer, or nil.
    public var contactEmail: String?
    /// The time since when the issuer no longer issues, in seconds since 1970; nil for one that does.
    public var deprecatedSince: Int64?
    /// The languages of texts; those of the scheme where the description names none.
    public var languages: [String]

    /// The least version of the format.
    public static let leastVersion = 4

    /// Describes an issuer.
    public init(id: IssuerIdentifier, name: TranslatedText = TranslatedText()) {
        self.id = id
        self.name = name
        languages = []
    }

    /// Reads the description.
    ///
    /// - Throws: ``IRMAError/Code/malformedDescription``, ``IRMAError/Code/limitExceeded``.
    public init(xml bytes: [UInt8]) throws(IRMAError) {
        let root = try DescriptionXMLReader.root(of: bytes).named("Issuer")
        _ = try root.requireVersion(atLeast: Self.leastVersion)
        let (scheme, issuer) = (try root.requiredText("SchemeManager"), try root.requiredText("ID"))
        self.init(id: IssuerIdentifier("\(scheme).\(issuer)"), name: try root.translated("Name"))
        guard id.isWellFormed else { throw IRMAError(.malformedDescription, "no name of an issuer", path: ["ID"]) }
        contactAddress = root.optionalText("ContactAddress")
        contactEmail = root.optionalText("ContactEMail")
        deprecatedSince = try root.number("DeprecatedSince")
        languages = try root.languages()
    }
}
