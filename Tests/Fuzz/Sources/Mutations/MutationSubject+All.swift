import Foundation
import FuzzTargets
import JSONKit
import TestSupport

extension MutationSubject {
    /// The sets of vectors, and whose parsers their inputs go to.
    private static let sets: [(name: String, targets: [FuzzTarget])] = [
        ("cbor", FuzzTarget.cbor),
        ("cose", FuzzTarget.cose),
        ("irma", FuzzTarget.irma + FuzzTarget.idemixCore),
        ("jose", FuzzTarget.jose),
        ("mdoc", mdoc),
        ("oid4vp", credentials),
        ("sdjwt", FuzzTarget.sdJWT),
        ("wycheproof", FuzzTarget.keys),
    ]

    /// An mdoc's parts are structures of every layer below.
    private static let mdoc =
        FuzzTarget.mdoc + FuzzTarget.certificates + FuzzTarget.cose + FuzzTarget.cbor.filter { $0.name == "cbor" }

    /// A presentation carries credentials of every format, and names their keys.
    private static let credentials =
        FuzzTarget.linkedData + FuzzTarget.dids + FuzzTarget.jose + FuzzTarget.sdJWT + FuzzTarget.oid4vp

    /// The sets whose files are objects of these parsers, or hold such objects.
    private static let objects: [(name: String, targets: [FuzzTarget])] = [
        ("irma", FuzzTarget.irma),
        ("oid4vp", FuzzTarget.linkedData + FuzzTarget.dids + FuzzTarget.oid4vp),
    ]

    /// The sets whose files are taken together by their folders: hundreds of small ones.
    private static let folders: [(name: String, fileExtension: String, targets: [FuzzTarget])] = [
        ("irma", "xml", FuzzTarget.irma),
        ("json-ld", "jsonld", FuzzTarget.linkedData),
        ("json-ld", "nq", FuzzTarget.linkedData),
        ("rdf-canon", "nq", FuzzTarget.linkedData),
    ]

    /// Every file of the sets that are there, the printed figures of ISO/IEC 18013-5, and the corpora of the fuzz targets.
    static func all() throws -> [MutationSubject] {
        try sets.flatMap { try subjects(of: VectorSet($0.name), targets: $0.targets) } + inObjects() + inFolders()
            + statusLists() + figures() + corpora()
    }

    private static func inObjects() throws -> [MutationSubject] {
        try objects.flatMap { set in
            try VectorSet(set.name).files(withExtension: "json").compactMap { file in
                let document = try JSONDocument(file.bytes())
                return MutationSubject(objectsOf: document, name: file.testDescription, targets: set.targets)
            }
        }
    }

    private static func inFolders() throws -> [MutationSubject] {
        try folders.flatMap { set in
            let files = VectorSet(set.name).files(withExtension: set.fileExtension)
            let grouped = Dictionary(grouping: files) {
                $0.path.split(separator: "/").dropLast().joined(separator: "/")
            }
            return try grouped.sorted { $0.key < $1.key }.map { folder, files in
                let name = "\(set.name)/\(folder)/*.\(set.fileExtension)"
                return MutationSubject(try files.map { try $0.bytes() }, name: name, targets: set.targets)
            }
        }
    }

    private static func subjects(of set: VectorSet, targets: [FuzzTarget]) throws -> [MutationSubject] {
        let structured = try set.files(withExtension: "json").flatMap { file in
            let document = try JSONDocument(file.bytes())
            let values = MutationSubject(valuesOf: document, name: file.testDescription, targets: targets)
            return [values, MutationSubject(textOf: document, name: file.testDescription)].compactMap(\.self)
        }
        let notation = FuzzTarget.cbor.filter { $0.name == "cbor-notation" }
        return try structured
            + set.files(withExtension: "txt").map { file in
                MutationSubject(try file.bytes(), name: file.testDescription, targets: notation)
            }
    }

    /// The files of the set of mdocs that hold status lists, whose parsers are those of StatusListKit.
    private static func statusLists() throws -> [MutationSubject] {
        try VectorSet("mdoc").files(withExtension: "json").filter { $0.path.contains("status-list") }.compactMap {
            file in
            MutationSubject(
                valuesOf: try JSONDocument(file.bytes()),
                name: "\(file.testDescription), status lists",
                targets: FuzzTarget.statusList
            )
        }
    }

    private static func figures() throws -> [MutationSubject] {
        let folder = "iso-18013-5-annex-d"
        let names = try FileManager.default.contentsOfDirectory(atPath: OwnVectors.url(folder).path)
        return try names.sorted().filter { $0.hasSuffix(".hex") }.map { name in
            let path = "\(folder)/\(name)"
            return MutationSubject(try OwnVectors.bytes(hex: path), name: path, targets: mdoc)
        }
    }

    private static func corpora() throws -> [MutationSubject] {
        let root = VectorSet.checkout.appendingPathComponent("Tests/Fuzz/corpus")
        return try FuzzTarget.all.flatMap { target in
            let folder = root.appendingPathComponent(target.name)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return try names.sorted().map { name in
                let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
                return MutationSubject(bytes, name: "corpus/\(target.name)/\(name)", targets: [target])
            }
        }
    }
}
