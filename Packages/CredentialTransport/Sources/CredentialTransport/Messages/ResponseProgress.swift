public import HTTPTypes

/// Takes the answer to a request piece by piece, and refuses it at the first piece that breaks the request's conditions.
///
/// An ``HTTPConnection`` feeds it as the pieces arrive, waits until each one is taken, and stops reading as soon as it
/// throws.
public protocol ResponseReceiver: Sendable {
    /// Takes status and header, once, before any piece of the body.
    ///
    /// - Throws: ``TransportError/Code/redirected``, ``TransportError/Code/unexpectedStatus``,
    ///   ``TransportError/Code/contentTypeNotAccepted``, ``TransportError/Code/contentEncodingNotAccepted`` or
    ///   ``TransportError/Code/bodyTooLarge`` if the header announces more than the limit.
    func receive(head: HTTPResponse) async throws(TransportError)

    /// Takes the next piece of the body.
    ///
    /// - Throws: ``TransportError/Code/bodyTooLarge``; ``TransportError/Code/unexpectedStatus`` if the body of an error
    ///   is over its limit; ``TransportError/Code/cancelled``. Nothing of the piece is kept then.
    func receive(_ piece: [UInt8]) async throws(TransportError)
}

/// Status and header of an answer that a request accepts.
struct ResponseHead: Sendable {
    let status: Int
    let headerFields: HTTPFields
    let contentType: MediaType?
}

/// An answer as far as it has come, judged by the conditions of its request.
struct ResponseProgress: Sendable {
    private let request: HTTPTransportRequest
    private var head = ResponseHead(status: 0, headerFields: [:], contentType: nil)
    private var announcedLength: Int?
    private var received = 0
    /// The body of a status that is not accepted, where it is read.
    private var errorBody: [UInt8]?

    init(for request: HTTPTransportRequest) {
        self.request = request
    }

    /// Takes status and header.
    ///
    /// - Returns: The accepted head, or nil for that of an error whose body is read.
    mutating func receive(head: HTTPResponse) throws(TransportError) -> ResponseHead? {
        self.head = ResponseHead(
            status: head.status.code,
            headerFields: head.headerFields,
            contentType: head.status == .noContent ? nil : Self.contentType(head.headerFields)
        )
        (announcedLength, received, errorBody) = (nil, 0, nil)
        if (300..<400).contains(status) {
            throw error(.redirected, "redirects are not followed", redirectTarget: fields[.location])
        }
        guard request.acceptedStatuses.contains(status) else {
            try beginErrorBody()
            return nil
        }
        try requireNoEncoding()
        if status != 204 { try requireContentType() }
        announcedLength = try length()
        if let announcedLength { try requireSize(announcedLength) }
        return self.head
    }

    /// Takes a piece of the body.
    ///
    /// - Returns: `true` for one of an accepted answer, `false` for one of an error.
    mutating func receive(_ piece: [UInt8]) throws(TransportError) -> Bool {
        let (size, overflow) = received.addingReportingOverflow(piece.count)
        if errorBody != nil {
            try requireErrorSize(overflow ? .max : size)
            errorBody?.append(contentsOf: piece)
        } else {
            try requireSize(overflow ? .max : size)
        }
        received = size
        return errorBody == nil
    }

    /// Ends the answer.
    ///
    /// - Throws: ``TransportError/Code/incompleteBody``; ``TransportError/Code/unexpectedStatus`` with the body of the error.
    func finish() throws(TransportError) {
        guard announcedLength == nil || announcedLength == received else {
            throw error(.incompleteBody, "\(received) bytes came instead of the announced \(announcedLength ?? 0)")
        }
        if let errorBody { throw unexpectedStatus(body: errorBody) }
    }

    private static func contentType(_ fields: HTTPFields) -> MediaType? {
        fields[.contentType].flatMap { try? MediaType($0) }
    }

    private var status: Int { head.status }
    private var fields: HTTPFields { head.headerFields }

    /// Begins to read the body of an error, or ends the answer where none is read.
    private mutating func beginErrorBody() throws(TransportError) {
        guard request.limits.maximumErrorBodySize != nil, !isEncoded else { throw unexpectedStatus() }
        announcedLength = try length()
        if let announcedLength { try requireErrorSize(announcedLength) }
        errorBody = []
    }

    private func unexpectedStatus(body: [UInt8] = []) -> TransportError {
        error(.unexpectedStatus, "the status is \(status)", body: body)
    }

    private func requireErrorSize(_ size: Int) throws(TransportError) {
        let limit = request.limits.maximumErrorBodySize ?? 0
        guard size <= limit else {
            throw error(.unexpectedStatus, "the status is \(status), and the body is over \(limit) bytes")
        }
    }

    private var isEncoded: Bool {
        fields[.contentEncoding].map { ASCII.lowercased($0.utf8) != "identity" } ?? false
    }

    private func requireNoEncoding() throws(TransportError) {
        guard isEncoded, !request.acceptsGzip || !fields.isGzipped else { return }
        throw error(.contentEncodingNotAccepted, "the body has a content encoding that was not requested")
    }

    private func requireContentType() throws(TransportError) {
        guard let types = request.accepted.types else { return }
        guard let value = fields[.contentType] else {
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
    }

    private func length() throws(TransportError) -> Int? {
        guard let value = fields[.contentLength] else { return nil }
        guard value.utf8.allSatisfy(ASCII.isDigit), let length = Int(value) else {
            throw error(.incompleteBody, "the content length is no number")
        }
        return length
    }

    private func requireSize(_ size: Int) throws(TransportError) {
        // Its content type is not checked, so nothing may come with it (RFC 9110, section 15.3.5).
        let limit = status == 204 ? 0 : request.limits.maximumBodySize
        guard size <= limit else { throw error(.bodyTooLarge, "the body is over \(limit) bytes") }
    }

    private func error(
        _ code: TransportError.Code,
        _ message: String,
        cause: (any Error)? = nil,
        redirectTarget: String? = nil,
        body: [UInt8] = []
    ) -> TransportError {
        TransportError(
            code,
            message,
            path: [request.url.description],
            cause: cause,
            answer: HTTPTransportResponse(
                status: status,
                headerFields: fields,
                contentType: head.contentType,
                body: body
            ),
            redirectTarget: redirectTarget
        )
    }
}
