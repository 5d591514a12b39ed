public import HTTPTypes

/// Takes the answer to a request piece by piece, and refuses it at the first piece that breaks the request's conditions.
///
/// An ``HTTPConnector`` feeds it as the pieces arrive and stops reading as soon as it throws.
public struct ResponseCollector: Sendable {
    private let request: HTTPTransportRequest
    private var status = 0
    private var headerFields: HTTPFields = [:]
    private var contentType: MediaType?
    private var announcedLength: Int?
    private var body: [UInt8] = []

    /// A collector for the answer to a request.
    public init(for request: HTTPTransportRequest) {
        self.request = request
    }

    /// Takes status and header, once, before any piece of the body.
    ///
    /// - Throws: ``TransportError/Code/redirected``, ``TransportError/Code/unexpectedStatus``,
    ///   ``TransportError/Code/contentTypeNotAccepted``, ``TransportError/Code/contentEncodingNotAccepted`` or
    ///   ``TransportError/Code/bodyTooLarge`` where the header announces more than the limit.
    public mutating func receive(head: HTTPResponse) throws(TransportError) {
        status = head.status.code
        headerFields = head.headerFields
        try requireStatus()
        try requireNoEncoding()
        contentType = try acceptedContentType()
        announcedLength = try length()
        if let announcedLength { try requireSize(announcedLength) }
    }

    /// Takes the next piece of the body.
    ///
    /// - Throws: ``TransportError/Code/bodyTooLarge``, and keeps nothing of the piece.
    public mutating func receive(_ piece: some Collection<UInt8>) throws(TransportError) {
        let (size, overflow) = body.count.addingReportingOverflow(piece.count)
        try requireSize(overflow ? .max : size)
        body.append(contentsOf: piece)
    }

    /// The answer, when its last piece was taken.
    ///
    /// - Throws: ``TransportError/Code/incompleteBody``.
    public consuming func finish() throws(TransportError) -> HTTPTransportResponse {
        guard announcedLength == nil || announcedLength == body.count else {
            throw error(.incompleteBody, "\(body.count) bytes came instead of the announced \(announcedLength ?? 0)")
        }
        return HTTPTransportResponse(
            status: status,
            headerFields: headerFields,
            contentType: contentType,
            body: body
        )
    }

    private func requireStatus() throws(TransportError) {
        if (300..<400).contains(status) {
            throw error(.redirected, "redirects are not followed", redirectTarget: headerFields[.location])
        }
        guard request.acceptedStatuses.contains(status) else {
            throw error(.unexpectedStatus, "the status is \(status)")
        }
    }

    private func requireNoEncoding() throws(TransportError) {
        guard let encoding = headerFields[.contentEncoding], ASCII.lowercased(encoding.utf8) != "identity" else {
            return
        }
        throw error(.contentEncodingNotAccepted, "the body is encoded, which nobody asked for")
    }

    private func acceptedContentType() throws(TransportError) -> MediaType? {
        guard let types = request.accepted.types else {
            return headerFields[.contentType].flatMap { try? MediaType($0) }
        }
        guard let value = headerFields[.contentType] else {
            throw error(.contentTypeNotAccepted, "the answer has no content type")
        }
        let type: MediaType
        do {
            type = try MediaType(value)
        } catch {
            throw self.error(.contentTypeNotAccepted, error.message, cause: error)
        }
        guard types.contains(type) else {
            throw error(.contentTypeNotAccepted, "the content type is \(type), not \(request.accepted.fieldValue)")
        }
        return type
    }

    private func length() throws(TransportError) -> Int? {
        guard let value = headerFields[.contentLength] else { return nil }
        guard value.utf8.allSatisfy(ASCII.isDigit), let length = Int(value) else {
            throw error(.incompleteBody, "the content length is no number")
        }
        return length
    }

    private func requireSize(_ size: Int) throws(TransportError) {
        guard size <= request.limits.maximumBodySize else {
            throw error(.bodyTooLarge, "the body is over \(request.limits.maximumBodySize) bytes")
        }
    }

    private func error(
        _ code: TransportError.Code,
        _ message: String,
        cause: (any Error)? = nil,
        redirectTarget: String? = nil
    ) -> TransportError {
        TransportError(
            code,
            message,
            path: [request.url.description],
            cause: cause,
            status: status,
            redirectTarget: redirectTarget
        )
    }
}
