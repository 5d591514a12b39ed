#if Client
import AsyncHTTPClient

extension HTTPProxy {
    /// The proxy as async-http-client takes it.
    var configuration: HTTPClient.Configuration.Proxy {
        let authorization: HTTPClient.Authorization? =
            switch authorization {
            case .basic(let username, let password): .basic(username: username, password: password)
            case .bearer(let token): .bearer(tokens: token)
            case nil: nil
            }
        return .server(host: host, port: Int(port), authorization: authorization)
    }
}
#endif
