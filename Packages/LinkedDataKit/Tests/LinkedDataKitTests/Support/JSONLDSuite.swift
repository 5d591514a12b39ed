import CryptoCore
import Foundation
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// One manifest of the test suite of the JSON-LD API.
struct JSONLDSuite {
    struct Entry {
        let id: String
        let types: [String]
        let input: String
        let expect: String?
        let errorCode: String?
        let required: String?
        let options: JSONObject

        /// Indicates whether the entry is for JSON-LD 1.0 alone.
        var isFor10: Bool { options["specVersion"]?.stringValue == "json-ld-1.0" }
    }

    static let set = VectorSet("json-ld")

    let file: VectorFile
    let baseIRI: String
    let entries: [Entry]
    let processor: JSONLDProcessor

    init(_ manifest: String) throws {
        file = try #require(Self.set.file(manifest))
        let json = try JSONValue(parsing: file.bytes())
        baseIRI = try #require(json["baseIri"]?.stringValue)
        entries = try #require(json["sequence"]?.arrayValue).map { entry in
            Entry(
                id: try #require(entry["@id"]?.stringValue),
                types: try #require(entry["@type"]?.arrayValue).compactMap(\.stringValue),
                input: try #require(entry["input"]?.stringValue),
                expect: entry["expect"]?.stringValue,
                errorCode: entry["expectErrorCode"]?.stringValue,
                required: entry["requires"]?.stringValue,
                options: entry["option"]?.objectValue ?? [:]
            )
        }
        var contexts = ContextRegistry.empty
        for file in Self.set.files(withExtension: "jsonld") {
            contexts.allow(baseIRI + file.path, sha256: HashAlgorithm.sha256.digest(of: try file.bytes()))
        }
        processor = JSONLDProcessor(contexts: contexts, loader: Loader(baseIRI: baseIRI))
    }

    /// Answers with the files of the suite.
    private struct Loader: ContextLoader {
        let baseIRI: String

        func loadContext(at url: String) async throws -> LoadedContext {
            let file = JSONLDSuite.set.file(String(url.dropFirst(baseIRI.count)))
            return LoadedContext(url: url, bytes: try #require(file).bytes())
        }
    }

    func json(_ path: String) throws -> JSONValue {
        let file = try #require(Self.set.file(path))
        return try JSONValue(parsing: file.bytes())
    }

    /// The options of an entry, with safe mode off: the suite holds much that signatures must not cover.
    func options(of entry: Entry) throws -> JSONLDOptions {
        var options = JSONLDOptions(base: entry.options["base"]?.stringValue ?? baseIRI + entry.input, safeMode: nil)
        if let path = entry.options["expandContext"]?.stringValue { options.expandContext = try json(path) }
        if entry.options["processingMode"]?.stringValue == "json-ld-1.0" { options.processingMode = .jsonLD10 }
        switch entry.options["rdfDirection"]?.stringValue {
        case "i18n-datatype": options.rdfDirection = .i18nDatatype
        case "compound-literal": options.rdfDirection = .compoundLiteral
        default: break
        }
        options.producesGeneralizedRDF = entry.options["produceGeneralizedRdf"]?.boolValue ?? false
        return options
    }
}

extension JSONValue {
    /// The same value with every array but those of `@list` in a fixed order: expansion does not fix one.
    func withSortedArrays(isList: Bool = false) -> JSONValue {
        switch self {
        case .array(let elements):
            let sorted = elements.map { $0.withSortedArrays() }
            return .array(isList ? sorted : sorted.sorted { $0.sortKey < $1.sortKey })
        case .object(let object):
            let members = object.map { ($0.name, $0.value.withSortedArrays(isList: $0.name == "@list")) }
            return .object(JSONObject(members.sorted { $0.0 < $1.0 }))
        default: return self
        }
    }

    private var sortKey: String { text() }
}
