import CommandSupport
import Foundation
import IRMATool

@main
enum Main {
    static func main() async {
        exit(await IRMATool.run(Array(CommandLine.arguments.dropFirst())))
    }
}
