public import IdemixCore

/// The description of an attribute of a credential type.
public struct AttributeDescription: Hashable, Sendable {
    /// The attribute's own name; empty for a revocation attribute.
    public var name: String
    /// Indicates that the attribute may be absent.
    public var isOptional: Bool
    /// Indicates that issuer and holder choose the value together, at random.
    public var isRandomBlind: Bool
    /// Indicates the revocation attribute, which holds the prime of the credential's witness.
    public var isRevocation: Bool
    /// The position at which wallets show the attribute, or nil.
    public var displayIndex: Int?
    /// The way in which wallets show the value, or nil.
    public var displayHint: String?
    /// The name for people.
    public var title: TranslatedText
    /// The description for people.
    public var text: TranslatedText

    /// Describes an attribute.
    public init(
        _ name: String,
        isOptional: Bool = false,
        isRandomBlind: Bool = false,
        isRevocation: Bool = false
    ) {
        self.name = name
        self.isOptional = isOptional
        self.isRandomBlind = isRandomBlind
        self.isRevocation = isRevocation
        title = TranslatedText()
        text = TranslatedText()
    }

    init(_ element: DescriptionXMLElement) throws(IRMAError) {
        self.init(
            element.attributes["id"] ?? "",
            isOptional: try element.flagAttribute("optional"),
            isRandomBlind: try element.flagAttribute("randomblind"),
            isRevocation: try element.flagAttribute("revocation")
        )
        if let text = element.attributes["displayIndex"] {
            guard let index = Int(text), index >= 0 else {
                throw IRMAError(.malformedDescription, "no position", path: ["Attribute", "displayIndex"])
            }
            displayIndex = index
        }
        displayHint = element.attributes["displayHint"]
        title = try element.translated("Name")
        text = try element.translated("Description")
    }
}

/// The description of a credential type.
public struct CredentialTypeDescription: Hashable, Sendable {
    /// The name of the type.
    public var id: CredentialTypeIdentifier
    /// The attributes; their order gives their base indices and never changes.
    public var attributes: [AttributeDescription]
    /// Indicates that a holder has at most one credential of the type.
    public var isSingleton: Bool
    /// Indicates that holders cannot delete credentials of the type.
    public var disallowsDeletion: Bool
    /// The URLs of the revocation servers; empty for a type without revocation.
    public var revocationServers: [String]
    /// The number of events that verifiers attach to a request.
    public var revocationUpdateCount: Int64
    /// The time in hours in which wallets aim at one update of a witness.
    public var revocationUpdateSpeed: Int64
    /// The credential types that a holder needs first: all of these, of each one of several conjunctions.
    public var dependencies: [[[CredentialTypeIdentifier]]]
    /// The time since when the type is no longer issued, in seconds since 1970; nil for one that is.
    public var deprecatedSince: Int64?
    /// The page that issues the credential.
    public var issueURL: TranslatedText
    /// Indicates that the page opens the wallet by a universal link.
    public var isIssueURLUniversalLink: Bool
    /// Indicates that wallets list the type in their store.
    public var isInCredentialStore: Bool
    /// The name for people.
    public var name: TranslatedText
    /// The description for people.
    public var text: TranslatedText
    /// The group of types in the wallets' store.
    public var category: TranslatedText
    /// Texts of the wallets' store, by the names of their elements: `FAQIntro`, `FAQPurpose`, `FAQContent`, `FAQHowto`,
    /// `FAQSummary`.
    public var questions: [String: TranslatedText]
    /// Colors, by the names of their elements: `ForegroundColor`, `BackgroundGradientStart`, `BackgroundGradientEnd`.
    public var colors: [String: String]
    /// The languages of texts; those of the issuer where the description names none.
    public var languages: [String]

    /// The least version of the format.
    public static let leastVersion = 4
    /// The number of events that verifiers attach to a request where a description names none.
    public static let defaultUpdateCount: Int64 = 16
    /// The time in hours in which wallets aim at one update of a witness where a description names none.
    public static let defaultUpdateSpeed: Int64 = 168

    /// Describes a type.
    public init(
        id: CredentialTypeIdentifier,
        attributes: [AttributeDescription],
        isSingleton: Bool = false,
        revocationServers: [String] = []
    ) {
        self.id = id
        self.attributes = attributes
        self.isSingleton = isSingleton
        self.revocationServers = revocationServers
        disallowsDeletion = false
        revocationUpdateCount = Self.defaultUpdateCount
        revocationUpdateSpeed = Self.defaultUpdateSpeed
        dependencies = []
        issueURL = TranslatedText()
        isIssueURLUniversalLink = false
        isInCredentialStore = false
        name = TranslatedText()
        text = TranslatedText()
        category = TranslatedText()
        questions = [:]
        colors = [:]
        languages = []
    }

    /// Reads the description.
    ///
    /// - Throws: ``IRMAError/Code/malformedDescription``, ``IRMAError/Code/limitExceeded``.
    public init(xml bytes: [UInt8]) throws(IRMAError) {
        let root = try DescriptionXMLReader.root(of: bytes).named("IssueSpecification")
        _ = try root.requireVersion(atLeast: Self.leastVersion)
        let issuer = "\(try root.requiredText("SchemeManager")).\(try root.requiredText("IssuerID"))"
        var attributes: [AttributeDescription] = []
        for element in try root.child("Attributes")?.children ?? [] {
            attributes.append(try AttributeDescription(element))
        }
        self.init(
            id: CredentialTypeIdentifier("\(issuer).\(try root.requiredText("CredentialID"))"),
            attributes: attributes,
            isSingleton: try root.flag("ShouldBeSingleton"),
            revocationServers: try root.child("RevocationServers")?.children.map(\.trimmedText) ?? []
        )
        guard id.isWellFormed else {
            throw IRMAError(.malformedDescription, "no name of a credential type", path: ["CredentialID"])
        }
        disallowsDeletion = try root.flag("DisallowDelete")
        revocationUpdateCount = try root.number("RevocationUpdateCount") ?? Self.defaultUpdateCount
        revocationUpdateSpeed = try root.number("RevocationUpdateSpeed") ?? Self.defaultUpdateSpeed
        dependencies =
            try root.child("Dependencies")?.children.map { or in
                or.children.map { and in and.children.map { CredentialTypeIdentifier($0.trimmedText) } }
            } ?? []
        deprecatedSince = try root.number("DeprecatedSince")
        issueURL = try root.translated("IssueURL")
        isIssueURLUniversalLink = try root.flag("IsULIssueURL")
        isInCredentialStore = try root.flag("IsInCredentialStore")
        name = try root.translated("Name")
        text = try root.translated("Description")
        category = try root.translated("Category")
        for name in ["FAQIntro", "FAQPurpose", "FAQContent", "FAQHowto", "FAQSummary"] {
            let text = try root.translated(name)
            if !text.texts.isEmpty { questions[name] = text }
        }
        for name in ["ForegroundColor", "BackgroundGradientStart", "BackgroundGradientEnd"] {
            if let color = root.optionalText(name) { colors[name] = color }
        }
        languages = try root.languages()
    }
}

extension CredentialTypeDescription {
    /// The base index of the attribute at the first position: behind the secret key and the metadata.
    static let firstBaseIndex = 2

    /// The base index of the attribute with a name, or nil.
    public func baseIndex(of name: String) -> Int? {
        attributes.firstIndex { !$0.isRevocation && $0.name.hasSameBytes(as: name) }.map { $0 + Self.firstBaseIndex }
    }

    /// The attribute at a base index, or nil.
    public func attribute(at baseIndex: Int) -> AttributeDescription? {
        let position = baseIndex - Self.firstBaseIndex
        return attributes.indices.contains(position) ? attributes[position] : nil
    }

    /// The base index of the revocation attribute, or nil for a type without revocation.
    public var revocationIndex: Int? {
        attributes.firstIndex { $0.isRevocation }.map { $0 + Self.firstBaseIndex }
    }

    /// The base indices of the random-blind attributes.
    public var blindIndices: Set<Int> {
        Set(attributes.indices.filter { attributes[$0].isRandomBlind }.map { $0 + Self.firstBaseIndex })
    }

    /// The names by which an issuance request announces random-blind attributes: for each the name of the attribute behind
    /// it in the description, and none for the last attribute.
    ///
    /// The reference computes them so on both sides, and compares.
    public var announcedRandomBlindNames: [String] {
        attributes.indices.dropLast().filter { attributes[$0].isRandomBlind }.map { attributes[$0 + 1].name }
    }

    /// The type as far as proofs depend on it.
    ///
    /// - Parameter keyshareServer: The scheme, if it has a keyshare server; nil otherwise.
    /// - Throws: ``IRMAError/Code/invalidScheme`` for more attributes than a key can sign.
    public func proofType(keyshareServer: SchemeIdentifier?) throws(IRMAError) -> IdemixCredentialType {
        do throws(IdemixError) {
            return try IdemixCredentialType(
                identifier: id.text,
                attributeCount: attributes.count,
                blindIndices: blindIndices,
                revocationIndex: revocationIndex,
                keyshareServer: keyshareServer?.text
            )
        } catch {
            throw IRMAError(.invalidScheme, error.message, path: [id.text], cause: error)
        }
    }
}
