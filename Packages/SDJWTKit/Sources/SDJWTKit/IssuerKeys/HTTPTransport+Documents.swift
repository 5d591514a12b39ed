import CredentialTransport

extension HTTPTransport {
    /// The bytes of a JSON document.
    func document(at url: HTTPURL, limits: HTTPLimits) async throws(SDJWTError) -> [UInt8] {
        do throws(TransportError) {
            let keySet = try MediaType("application/jwk-set+json")
            return try await response(to: .get(url, accepting: [.json, keySet], limits: limits)).body
        } catch {
            throw SDJWTError(.retrievalFailed, "\(url) cannot be fetched: \(error.message)", cause: error)
        }
    }
}
