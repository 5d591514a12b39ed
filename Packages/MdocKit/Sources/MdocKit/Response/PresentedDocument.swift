/// A document of a response in its place, whether it can be read or not.
package enum PresentedDocument: Sendable {
    /// It can be read.
    case readable(MdocDocument)
    /// It cannot.
    case unreadable(UnreadableDocument)

    /// The documents of a response, in its order.
    package static func documents(of response: DeviceResponse) -> [PresentedDocument] {
        let documents = response.documents.map(readable)
        guard !response.unreadableDocuments.isEmpty else { return documents }
        return (documents + response.unreadableDocuments.map(unreadable)).sorted { $0.index < $1.index }
    }

    /// Its place in the response, counted from 0.
    package var index: Int {
        switch self {
        case .readable(let document): document.index
        case .unreadable(let document): document.index
        }
    }

    /// The type as stated, whether it is verified or not; nil if that much could not be read.
    package var docType: DocType? {
        switch self {
        case .readable(let document): document.docType
        case .unreadable(let document): document.docType
        }
    }

    /// The validity as stated, whether it is verified or not; nil if the document could not be read.
    package var validityInfo: ValidityInfo? {
        switch self {
        case .readable(let document): document.issuerSigned.mobileSecurityObject.validityInfo
        case .unreadable: nil
        }
    }
}
