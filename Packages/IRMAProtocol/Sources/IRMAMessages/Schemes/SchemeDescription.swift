/// The description of a scheme of issuers (`description.xml`).
public struct SchemeDescription: Hashable, Sendable {
    /// The least version of an app that can use the scheme.
    public struct MinimumAppVersion: Hashable, Sendable {
        /// The version code on Android, or nil.
        public var android: Int64?
        /// The version code on iOS, or nil.
        public var iOS: Int64?
    }

    /// The name of the scheme.
    public var id: SchemeIdentifier
    /// The URL of the scheme's files.
    public var url: String
    /// The contact of the scheme's owner, or nil.
    public var contact: String?
    /// Indicates a scheme for development, whose private keys are public.
    public var isDemo: Bool
    /// The name for people.
    public var name: TranslatedText
    /// The description for people.
    public var text: TranslatedText
    /// The least version of an app that can use the scheme.
    public var minimumAppVersion: MinimumAppVersion
    /// The URL of the keyshare server, which has a part of the users' secret keys; nil for a scheme without one.
    public var keyshareServer: String?
    /// The URL of the keyshare server's page for its users, or nil.
    public var keyshareWebsite: String?
    /// The attribute that names the user's account at the keyshare server, or nil.
    public var keyshareAttribute: AttributeIdentifier?
    /// The URL of the timestamp server for signatures, or nil.
    public var timestampServer: String?
    /// The languages of texts, as far as the description names them.
    public var languages: [String]

    /// The least version of the format.
    public static let leastVersion = 7

    /// Describes a scheme.
    public init(id: SchemeIdentifier, url: String = "", isDemo: Bool = false, keyshareServer: String? = nil) {
        self.id = id
        self.url = url
        self.isDemo = isDemo
        self.keyshareServer = keyshareServer
        name = TranslatedText()
        text = TranslatedText()
        minimumAppVersion = MinimumAppVersion()
        languages = []
    }

    /// Reads the description.
    ///
    /// - Throws: ``IRMAError/Code/malformedDescription``, ``IRMAError/Code/limitExceeded``.
    public init(xml bytes: [UInt8]) throws(IRMAError) {
        let root = try DescriptionXMLReader.root(of: bytes).named("SchemeManager")
        _ = try root.requireVersion(atLeast: Self.leastVersion)
        self.init(id: SchemeIdentifier(try root.requiredText("Id")), url: try root.requiredText("Url"))
        guard id.isWellFormed else { throw IRMAError(.malformedDescription, "no name of a scheme", path: ["Id"]) }
        contact = root.optionalText("Contact")
        isDemo = try root.flag("Demo")
        name = try root.translated("Name")
        text = try root.translated("Description")
        if let versions = try root.child("MinimumAppVersion") {
            minimumAppVersion.android = try versions.number("Android")
            minimumAppVersion.iOS = try versions.number("iOS")
        }
        keyshareServer = root.optionalText("KeyshareServer")
        keyshareWebsite = root.optionalText("KeyshareWebsite")
        keyshareAttribute = root.optionalText("KeyshareAttribute").map { AttributeIdentifier($0) }
        timestampServer = root.optionalText("TimestampServer")
        languages = try root.languages()
    }

    /// The name of the scheme, from a description of which nothing else is read.
    static func name(xml bytes: [UInt8]) throws(IRMAError) -> SchemeIdentifier {
        SchemeIdentifier(try DescriptionXMLReader.root(of: bytes).named("SchemeManager").requiredText("Id"))
    }
}

extension DescriptionXMLElement {
    /// The element itself, if it has the name.
    func named(_ name: String) throws(IRMAError) -> DescriptionXMLElement {
        guard self.name == name else {
            throw IRMAError(.malformedDescription, "the root element is <\(self.name)>, not <\(name)>")
        }
        return self
    }

    /// The languages that a description names.
    func languages() throws(IRMAError) -> [String] {
        try child("Languages")?.children.map(\.trimmedText).filter { !$0.isEmpty } ?? []
    }
}
