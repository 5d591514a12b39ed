import CommandSupport
import CredentialTool
import Foundation

@main
enum Main {
    static func main() async {
        exit(await CredentialTool.run(Array(CommandLine.arguments.dropFirst())))
    }
}
