#if Client
import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1

/// A client of async-http-client that knows one address of one host.
final class AsyncHTTPClientConnection: HTTPConnection {
    private let client: HTTPClient
    private let origin: HTTPURL.Origin

    init(_ client: HTTPClient, _ origin: HTTPURL.Origin) {
        self.client = client
        self.origin = origin
    }

    func exchange(_ request: HTTPTransportRequest, receiver: any ResponseReceiver) async throws(TransportError) {
        // The client would resolve the name of any other host by itself.
        guard request.url.origin == origin else {
            throw TransportError(.addressNotAllowed, "another host's connection", path: [request.url.description])
        }
        do {
            let response = try await client.execute(Self.clientRequest(request), deadline: .distantFuture)
            try await receiver.receive(head: Self.head(of: response))
            for try await piece in response.body { try await receiver.receive(Array(piece.readableBytesView)) }
            // For a cancelled task, the body just ends.
            try Task.checkCancellation()
        } catch {
            throw TransportError(exchanging: error, with: request)
        }
    }

    func close() async {
        // The exchanges are over: a connection that does not close properly changes nothing for the caller.
        try? await client.shutdown()
    }

    private static func clientRequest(_ request: HTTPTransportRequest) -> HTTPClientRequest {
        var clientRequest = HTTPClientRequest(url: request.url.description)
        clientRequest.method = .init(rawValue: request.method.rawValue)
        for field in request.headerFields { clientRequest.headers.add(name: field.name.rawName, value: field.value) }
        let hasBody = request.method == .post || request.method == .put || !request.body.isEmpty
        if hasBody { clientRequest.body = .bytes(request.body) }
        return clientRequest
    }

    /// Status and header; fields whose names or values are not HTTP are left out.
    private static func head(of response: HTTPClientResponse) -> HTTPResponse {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return HTTPResponse(status: .init(code: Int(response.status.code)), headerFields: fields)
    }
}
#endif
