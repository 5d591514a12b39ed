public import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A requestor as a scheme of requestors describes it; only for showing, never for permissions.
public struct RequestorDescription: Hashable, IRMAMessage {
    /// The name of the requestor: `scheme.requestor`.
    public var id: String
    /// The scheme.
    public var scheme: SchemeIdentifier
    /// The name for people.
    public var name: TranslatedText
    /// The branch of business.
    public var industry: TranslatedText?
    /// The host names of the requestor's sessions; one may begin with `*.`.
    public var hostNames: [String]
    /// The SHA-256 of the logo in hexadecimal digits, or nil; the file is `assets/<logo>.png`.
    public var logo: String?
    /// The end of the entry's validity, in seconds since 1970; nil for none.
    public var validUntil: Int64?
    /// Indicates a requestor whose entry was not verified by the scheme.
    public var isUnverified: Bool
    /// The languages of texts.
    public var languages: [String]
    /// The wizards, by their names, in their own form.
    public var wizards: [ExactText: JSONValue]

    /// Describes a requestor.
    public init(id: String, scheme: SchemeIdentifier, name: TranslatedText, hostNames: [String]) {
        self.id = id
        self.scheme = scheme
        self.name = name
        self.hostNames = hostNames
        isUnverified = false
        languages = []
        wizards = [:]
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        id = try members.requiredText("id")
        scheme = try members.requiredMessage("scheme")
        name = try members.message("name") ?? TranslatedText()
        industry = try members.message("industry")
        hostNames = try members.list("hostnames") { json throws(IRMAError) in try json.text() } ?? []
        logo = try members.text("logo")
        validUntil = try members.number("valid_until")
        isUnverified = try members.flag("unverified")
        languages = try members.list("languages") { json throws(IRMAError) in try json.text() } ?? []
        wizards = try members.map("wizards", key: ExactText.init) { json throws(IRMAError) in json } ?? [:]
    }

    /// The requestor as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        object["id"] = .string(id)
        try object.write("scheme", scheme)
        try object.write("name", name)
        try object.write("industry", ifPresent: industry)
        object["hostnames"] = .array(hostNames.map { .string($0) })
        object.write("logo", ifPresent: logo)
        object.write("valid_until", ifPresent: validUntil)
        object.write("unverified", flag: isUnverified)
        if !languages.isEmpty { object["languages"] = .array(languages.map { .string($0) }) }
        if !wizards.isEmpty {
            object["wizards"] = try .map(wizards, name: \.text) { wizard throws(IRMAError) in wizard }
        }
        return .object(object)
    }
}

/// A scheme of requestors, from which a wallet shows the name of the requestor.
public struct RequestorScheme: Sendable {
    /// The name of the scheme.
    public let id: SchemeIdentifier
    /// The URL of the scheme's files.
    public let url: String
    /// Indicates a scheme for development.
    public let isDemo: Bool
    /// The time of the scheme's signature.
    public let time: Date
    /// The requestors.
    public let requestors: [RequestorDescription]
    /// The logos of the requestors and of their wizards, PNG pictures, by the name that the descriptions have for them.
    public let logos: [ExactText: [UInt8]]

    /// The path of the description, whose presence tells a scheme of requestors from one of issuers.
    public static let descriptionPath: SchemePath = "description.json"

    /// Reads a scheme from its verified files.
    ///
    /// - Throws: ``IRMAError/Code/malformedDescription``, ``IRMAError/Code/invalidScheme``, and
    ///   ``IRMAError/Code/digestMismatch`` for a logo that is missing or not the picture that its name promises.
    public init(_ files: VerifiedSchemeFiles) throws(IRMAError) {
        let place = "\(files.scheme.text)/\(Self.descriptionPath.text)"
        guard let bytes = files.files[Self.descriptionPath] else {
            throw IRMAError(.invalidScheme, "the file is missing", path: [place])
        }
        do throws(IRMAError) {
            let members = try MessageMembers(JSONValue(message: bytes, limits: .requestorScheme))
            id = try members.requiredMessage("id")
            url = try members.requiredText("url")
            isDemo = try members.flag("demo")
            let kind = try members.text("schemetype") ?? ""
            guard id == files.scheme, kind.hasSameBytes(as: "requestor") else {
                throw IRMAError(.invalidScheme, "the description of another scheme, or not one of requestors")
            }
        } catch {
            throw error.inside(place)
        }
        time = files.time
        requestors = try Self.requestors(files)
        try RequestorSchemeRules(id: id, isDemo: isDemo, requestors: requestors).check()
        var logos: [ExactText: [UInt8]] = [:]
        for (name, path) in try Self.logoPaths(requestors) {
            guard let bytes = files.logos[path] else {
                throw IRMAError(
                    .digestMismatch,
                    "the logo is missing, or not the picture that its name promises",
                    path: [id.text, path.text]
                )
            }
            logos[name] = bytes
        }
        self.logos = logos
    }

    private static func requestors(_ files: VerifiedSchemeFiles) throws(IRMAError) -> [RequestorDescription] {
        var requestors: [RequestorDescription] = []
        for (path, bytes) in files.files.sorted(by: { $0.key < $1.key })
        where path != descriptionPath && path.text.hasSuffix(".json") {
            do throws(IRMAError) {
                requestors += try JSONValue(message: bytes, limits: .requestorScheme).elements {
                    json throws(IRMAError) in
                    try RequestorDescription(json: json)
                }
            } catch {
                throw error.inside("\(files.scheme.text)/\(path.text)")
            }
        }
        return requestors
    }

    /// The paths of the logos of requestors and of their wizards, by name.
    private static func logoPaths(_ requestors: [RequestorDescription]) throws(IRMAError) -> [ExactText: SchemePath] {
        var paths: [ExactText: SchemePath] = [:]
        for requestor in requestors {
            do throws(IRMAError) {
                var names = [requestor.logo]
                for wizard in requestor.wizards.values { names.append(try MessageMembers(wizard).text("logo")) }
                for name in names.compactMap(\.self) { paths[ExactText(name)] = try SchemePath(logo: name) }
            } catch {
                throw error.inside(requestor.id)
            }
        }
        return paths
    }

    /// The logos that the descriptions name and the files lack.
    static func missingLogos(_ files: VerifiedSchemeFiles) throws(IRMAError) -> [SchemePath] {
        guard files.files[descriptionPath] != nil else { return [] }
        return try logoPaths(requestors(files)).values.filter { files.logos[$0] == nil }.sorted()
    }

    /// The URL of a scheme's files, from a description of which nothing else is read.
    static func url(description: [UInt8]) throws(IRMAError) -> String {
        try MessageMembers(JSONValue(message: description, limits: .requestorScheme)).requiredText("url")
    }

    /// The name of the scheme, from a description of which nothing else is read.
    static func name(description: [UInt8]) throws(IRMAError) -> SchemeIdentifier {
        try MessageMembers(JSONValue(message: description, limits: .requestorScheme)).requiredMessage("id")
    }
}
