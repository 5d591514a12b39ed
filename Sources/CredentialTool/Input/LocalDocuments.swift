import CommandSupport
import DIDKit
import Foundation
import JSONKit

/// The DIDs that are keys, and those whose documents are at hand.
struct LocalDocuments: DIDResolver {
    private let documents: [DID: DIDDocument]

    init(_ files: [InputFile]) throws {
        var documents: [DID: DIDDocument] = [:]
        for file in files {
            let members = try file.jsonObject()
            let document = try file.reading("DID document") {
                try DIDDocument(json: members, of: DID(members["id"]?.stringValue ?? ""))
            }
            documents[document.id] = document
        }
        self.documents = documents
    }

    func document(of did: DID, at time: Date) async throws(DIDError) -> DIDDocument {
        if let document = documents[did] { return document }
        return try await DIDMethods.local.document(of: did, at: time)
    }
}
