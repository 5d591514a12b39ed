import CryptoCore
import JOSEKit
import JSONKit
import VerificationCore

/// The label of a blank node: the keyed digest of its canonical identifier (Data Integrity ECDSA Cryptosuites 1.0, section
/// 3.4.4).
enum StatementLabel {
    /// The length of a digest.
    static let size = 32

    /// The digest for a canonical identifier, such as `c14n0`, by its number.
    static func digest(ofIdentifier number: Int, key: SecretBytes) -> [UInt8] {
        HMAC.authenticationCode(for: Array("c14n\(number)".utf8), key: key, hash: .sha256)
    }

    /// The text of a digest, whose first letter makes it a label in N-Quads.
    static func text(_ digest: [UInt8]) -> [UInt8] { Array("u".utf8) + Array(Base64URL.encode(digest).utf8) }
}

/// The statements of a document under secret labels, of which pointers select some (Data Integrity ECDSA Cryptosuites 1.0,
/// section 3.4.16).
struct LabeledStatements {
    /// The statements as lines of N-Quads, in the order of their bytes.
    let lines: [[UInt8]]

    private let document: JSONObject
    private let settings: LinkedDataSettings
    private let languageTags: JSONLDOptions.LanguageTags
    private let names: BlankNodeNames
    /// The index of each line, by the statement with the names of its nodes.
    private let indexes: [[UInt8]: Int]
    /// The digest of each blank node, by its name.
    private let digests: [ExactText: [UInt8]]

    /// Reads a document without proofs.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - key: The key of the labels.
    init(
        _ document: JSONObject,
        key: SecretBytes,
        _ settings: LinkedDataSettings,
        _ languageTags: JSONLDOptions.LanguageTags
    ) throws(LinkedDataError) {
        guard settings.options.rdfDirection != .compoundLiteral else {
            throw LinkedDataError(.unsupportedSelection, "base directions as nodes cannot be selected")
        }
        self.document = document
        self.settings = settings
        self.languageTags = languageTags
        names = BlankNodeNames()
        let dataset = try settings.dataset(document, names, languageTags)
        let limits = settings.disclosure
        var digests: [[UInt8]] = []
        let (lines, identifiers) = try settings.relabeled(dataset) { (count) throws(LinkedDataError) in
            try limits.check(labels: count)
            digests = (0..<count).map { StatementLabel.digest(ofIdentifier: $0, key: key) }
            return digests.map(StatementLabel.text)
        }
        let order = lines.indices.sorted { lines[$0].lexicographicallyPrecedes(lines[$1]) }
        self.lines = order.map { lines[$0] }
        let named = dataset.lines
        indexes = order.enumerated().reduce(into: [:]) { $0[named[$1.element]] = $1.offset }
        self.digests = identifiers.labels.reduce(into: [:]) { byName, name in
            byName[name] = identifiers.number(of: name).map { digests[$0] }
        }
    }

    /// A part of the statements.
    struct Selection {
        /// The part of the document.
        let document: JSONObject
        /// The indexes of its statements.
        let indexes: Set<Int>
        fileprivate let dataset: RDFDataset
    }

    /// The part that pointers select; nil for none (sections 3.4.13 and 3.4.15).
    ///
    /// - Throws: ``LinkedDataError/Code/invalidPointer``; ``LinkedDataError/Code/unsupportedSelection`` for a part that says
    ///   something else than the whole, such as one without the context of an inner object, or with a part of a list.
    func selection(by pointers: [JSONPointer]) throws(LinkedDataError) -> Selection? {
        guard !pointers.isEmpty else { return nil }
        let selected = try DocumentSelection(of: document, by: pointers, in: names.places)
        names.selection = selected
        defer { names.selection = nil }
        let dataset = try settings.dataset(selected.document, names, languageTags)
        var found: Set<Int> = []
        for line in dataset.lines {
            guard let index = indexes[line] else {
                throw LinkedDataError(
                    .unsupportedSelection,
                    "the selected part makes a statement that the document does not make"
                )
            }
            found.insert(index)
        }
        return Selection(document: selected.document, indexes: found, dataset: dataset)
    }

    /// The digests of a part's blank nodes, in the order of the identifiers that a verifier gives them (section 3.5.4, steps 12
    /// to 14).
    func digests(of selection: Selection) throws(LinkedDataError) -> [[UInt8]] {
        let identifiers = try settings.canonicalize(selection.dataset, using: .sha256) {
            (canonicalizer) throws(LinkedDataError) in
            try canonicalizer.canonicalize().issuedIdentifiers
        }
        var digests: [[UInt8]] = Array(repeating: [], count: identifiers.count)
        for name in identifiers.labels {
            if let number = identifiers.number(of: name), let digest = self.digests[name] { digests[number] = digest }
        }
        return digests
    }
}

extension RDFDataset {
    /// The statements with the labels that their blank nodes have, in the order of the dataset.
    fileprivate var lines: [[UInt8]] {
        quadIDs.map { quad in
            var line = terms.form(of: quad.subject) + [UInt8(ascii: " ")]
            line += terms.form(of: quad.predicate) + [UInt8(ascii: " ")] + terms.form(of: quad.object)
            if quad.graph != QuadIDs.defaultGraph { line += [UInt8(ascii: " ")] + terms.form(of: quad.graph) }
            return Array(line)
        }
    }
}

extension LinkedDataSettings {
    /// The statements of a document whose blank nodes have names.
    fileprivate func dataset(
        _ document: JSONObject,
        _ names: BlankNodeNames,
        _ languageTags: JSONLDOptions.LanguageTags
    ) throws(LinkedDataError) -> RDFDataset {
        try processor.expand(.object(document), options: options, naming: names)
            .with(languageTags: languageTags)
            .toRDF(naming: names)
    }

    /// The statements of a dataset with other labels, by the canonicalization that the suite prescribes.
    ///
    /// - Parameter labels: Returns the labels of the canonical identifiers in their order, given their number.
    func relabeled(
        _ dataset: RDFDataset,
        _ labels: (Int) throws(LinkedDataError) -> [[UInt8]]
    ) throws(LinkedDataError) -> (lines: [[UInt8]], identifiers: IssuedIdentifiers) {
        try canonicalize(dataset, using: .sha256) { (canonicalizer) throws(LinkedDataError) in
            try canonicalizer.relabeled(labels)
        }
    }
}
